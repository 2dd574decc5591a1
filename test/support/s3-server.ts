// An S3 server for tests: s3rver on a free port, with its files in a temporary folder. It corrects three
// behaviours of s3rver that differ from a real store: a response follows the stored bytes, a file is replaced
// as a whole, and a multipart upload can be aborted.

import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import S3rver from 's3rver'

const bucketNames = { 'user-media': 'test-user-media', general: 'test-general' }

export async function startS3Server() {
  const directory = await mkdtemp(join(tmpdir(), 'lanternist-s3-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: Object.values(bucketNames).map((name) => ({ name })),
  })
  keepBeforeAnswering(server.store)
  callOffUploads(server)
  const { port } = await server.run()

  return {
    /** The options of createS3Storage. */
    options: {
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
      buckets: bucketNames,
    },
    /** Returns multipart uploads that were neither completed nor aborted: a real store bills them. */
    async unfinishedUploads(): Promise<string[]> {
      const found = await Promise.all(
        Object.values(bucketNames).map((name) =>
          readdir(server.store.getResourcePath(name, undefined, 'uploads')).catch(() => []),
        ),
      )
      return found.flat()
    },
    async stop(): Promise<void> {
      server.httpServer.closeAllConnections()
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

export type S3Options = Awaited<ReturnType<typeof startS3Server>>['options']

/** Returns the options as settings of a service. */
export function s3Settings(options: S3Options) {
  return {
    STORAGE: 's3',
    S3_ENDPOINT: options.endpoint,
    S3_REGION: options.region,
    S3_ACCESS_KEY_ID: options.accessKeyId,
    S3_SECRET_ACCESS_KEY: options.secretAccessKey,
    S3_BUCKET_USER_MEDIA: options.buckets['user-media'],
    S3_BUCKET_GENERAL: options.buckets.general,
  }
}

function keepBeforeAnswering(store: S3rver['store']): void {
  store.putObject = async ({ bucket, key, content, metadata }) => {
    const written = await writeWhole(store.getResourcePath(bucket, key, 'object'), content)
    await store.putMetadata(bucket, key, metadata, written.md5)
    return written
  }
  store.putPart = async (bucket, uploadId, partNumber, content) => {
    const uploads = store.getResourcePath(bucket, undefined, 'uploads')
    const path = join(uploads, uploadId, String(partNumber))
    const written = await writeWhole(path, content)
    await writeFile(`${path}.md5`, written.md5)
    return written
  }
}

async function writeWhole(path: string, content: Readable): Promise<{ size: number; md5: string }> {
  const md5 = createHash('md5')
  let size = 0
  const draft = `${path}.${randomUUID()}`
  await mkdir(dirname(path), { recursive: true })
  await pipeline(
    content,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        md5.update(chunk)
        size += chunk.length
        yield chunk
      }
    },
    createWriteStream(draft),
  )
  await rename(draft, path)
  return { size, md5: md5.digest('hex') }
}

function callOffUploads(server: S3rver): void {
  server.middleware.unshift(async (ctx, next) => {
    const uploadId = ctx.query['uploadId']
    if (ctx.method !== 'DELETE' || !uploadId) return next()
    const bucket = ctx.path.split('/')[1] ?? ''
    const uploads = server.store.getResourcePath(bucket, undefined, 'uploads')
    await rm(join(uploads, uploadId), { recursive: true, force: true })
    ctx.status = 204
  })
}
