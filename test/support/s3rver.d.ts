// s3rver has no types; these are the parts that the test server uses.
declare module 's3rver' {
  import type { Server } from 'node:http'
  import type { Readable } from 'node:stream'

  type Context = { method: string; path: string; query: Record<string, string>; status: number }
  type StoredObject = {
    bucket: string
    key: string
    content: Readable
    metadata: Record<string, string>
  }
  type Written = { size: number; md5: string }

  export default class S3rver {
    constructor(options: {
      address: string
      port: number
      silent: boolean
      directory: string
      vhostBuckets: boolean
      configureBuckets: { name: string }[]
    })
    middleware: ((ctx: Context, next: () => Promise<void>) => Promise<void>)[]
    httpServer: Server
    store: {
      getResourcePath(bucket: string, key: string | undefined, resource: string): string
      putMetadata(
        bucket: string,
        key: string,
        metadata: Record<string, string>,
        md5: string,
      ): Promise<void>
      putObject(object: StoredObject): Promise<Written>
      putPart(
        bucket: string,
        uploadId: string,
        partNumber: number,
        content: Readable,
      ): Promise<Written>
    }
    run(): Promise<{ port: number }>
    close(): Promise<void>
  }
}
