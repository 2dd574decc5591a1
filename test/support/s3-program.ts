/** The S3 server as a separate program: sends its options to its parent, and ends with it. */
import { startS3Server } from './s3-server.ts'

const server = await startS3Server()
process.once('disconnect', () => {
  void server.stop().then(() => process.exit(0))
})
process.send?.(server.options)
