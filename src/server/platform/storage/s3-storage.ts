/**
 * Storage in S3 or a compatible store, for a service of several nodes. Uploads stream in parts. Clients can
 * be sent to the store with links that are valid for a minute at most.
 */
import { finished, PassThrough, Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { takeIn } from './intake.ts'
import type { S3StorageOptions } from './s3-client.ts'
import { createClient, headBucket, watchStore } from './s3-client.ts'
import {
  assertBucket,
  assertKey,
  assertPrefix,
  buckets,
  contentTypeOf,
  FileMissing,
  isKey,
  presignedLinkMaxSeconds,
  StorageFull,
  StorageUnreachable,
} from './storage.ts'
import type { Bucket, FileAddress, ListedFile, Storage } from './storage.ts'

const partBytes = 5 * 1024 * 1024
// With more parts at a time, Upload notices a failed part only when a stalled sender sends again.
const partsAtOnce = 1
const checkTimeoutMs = 2_500
const bodySilenceMs = 10_000

export function createS3Storage(options: S3StorageOptions): Storage {
  const client = createClient(options, options.endpoint)
  const watch = watchStore(options, client)
  const publicEndpoint =
    options.publicEndpoint === undefined ? options.endpoint : options.publicEndpoint
  const linkClient = publicEndpoint === null ? null : createClient(options, publicEndpoint)

  const locate = ({ bucket, key }: FileAddress): { Bucket: string; Key: string } => {
    assertBucket(bucket)
    assertKey(key)
    return { Bucket: options.buckets[bucket], Key: key }
  }

  async function* listKeys(what: {
    bucket: Bucket
    prefix: string
    delimiter?: string
  }): AsyncGenerator<ListedFile> {
    let token: string | undefined
    do {
      const command = new ListObjectsV2Command({
        Bucket: options.buckets[what.bucket],
        Prefix: what.prefix,
        ...(what.delimiter === undefined ? {} : { Delimiter: what.delimiter }),
        ...(token === undefined ? {} : { ContinuationToken: token }),
      })
      const page = await client.send(command).catch((error: unknown) => {
        throw asStorageError(error, { bucket: what.bucket, key: what.prefix })
      })
      for (const { Key: key, Size: size = 0, LastModified: lastModified } of page.Contents ?? []) {
        // Folder markers and other objects that another tool left in the bucket are not ours.
        if (isKey(key)) yield { key, size, lastModified: lastModified ?? new Date(0) }
      }
      token = page.NextContinuationToken
    } while (token !== undefined)
  }

  return {
    async put(bucket, key, source, { signal } = {}) {
      const object = locate({ bucket, key })
      const intake = takeIn(source, signal)
      // Upload does not get the signal: it would reject at once and continue in the background, where the
      // file may still appear. A failing source makes it wait and clean up instead.
      const upload = new Upload({
        client,
        params: {
          ...object,
          Body: Readable.from(intake.chunks, { objectMode: false }),
          ContentType: contentTypeOf(key),
        },
        partSize: partBytes,
        queueSize: partsAtOnce,
      })
      try {
        await upload.done()
      } catch (error) {
        intake.abandon()
        const failure = intake.failure()
        throw failure ? failure.reason : asStorageError(error, { bucket, key })
      }
      return { size: intake.sizeBytes() }
    },

    async stat(bucket, key) {
      const object = locate({ bucket, key })
      try {
        const head = await client.send(new HeadObjectCommand(object))
        return {
          size: head.ContentLength ?? 0,
          etag: head.ETag ?? '""',
          lastModified: head.LastModified ?? new Date(0),
        }
      } catch (error) {
        const storageError = asStorageError(error, { bucket, key })
        if (storageError instanceof FileMissing) return null
        throw storageError
      }
    },

    async read(bucket, key, range) {
      const object = locate({ bucket, key })
      try {
        const wanted = range ? { Range: `bytes=${range.start}-${range.end}` } : {}
        const answer = await client.send(new GetObjectCommand({ ...object, ...wanted }))
        if (!(answer.Body instanceof Readable)) throw new StorageUnreachable('S3 sent no body')
        return withStorageErrors(answer.Body, { bucket, key })
      } catch (error) {
        throw asStorageError(error, { bucket, key })
      }
    },

    async copy(from, to) {
      const source = locate(from)
      const target = locate(to)
      try {
        await client.send(
          new CopyObjectCommand({
            ...target,
            // Must be URL-encoded. No character of a valid key needs it.
            CopySource: `${source.Bucket}/${source.Key}`,
            MetadataDirective: 'REPLACE',
            ContentType: contentTypeOf(to.key),
          }),
        )
      } catch (error) {
        throw asStorageError(error, from)
      }
    },

    async remove(bucket, key) {
      const object = locate({ bucket, key })
      try {
        await client.send(new DeleteObjectCommand(object))
      } catch (error) {
        const storageError = asStorageError(error, { bucket, key })
        if (!(storageError instanceof FileMissing)) throw storageError
      }
    },

    async *list(bucket, prefix) {
      assertBucket(bucket)
      assertPrefix(prefix)
      yield* listKeys({ bucket, prefix })
    },

    async *listFolder(bucket, folder) {
      assertBucket(bucket)
      assertPrefix(folder)
      for await (const { key, ...known } of listKeys({ bucket, prefix: folder, delimiter: '/' }))
        yield { key, look: async () => known }
    },

    fingerprint: null,

    presign:
      linkClient &&
      (async (bucket, key, { expiresInSeconds, contentType, disposition }) => {
        if (!(expiresInSeconds >= 1 && expiresInSeconds <= presignedLinkMaxSeconds)) {
          throw new RangeError(
            `A presigned link must be valid for 1 to ${presignedLinkMaxSeconds} seconds`,
          )
        }
        const command = new GetObjectCommand({
          ...locate({ bucket, key }),
          ResponseContentType: contentType,
          // A shared cache must not serve the file after the link has expired.
          ResponseCacheControl: `private, max-age=${expiresInSeconds}`,
          ...(disposition === undefined ? {} : { ResponseContentDisposition: disposition }),
        })
        return getSignedUrl(linkClient, command, { expiresIn: expiresInSeconds })
      }),

    async check() {
      for (const bucket of buckets) await checkBucket(client, options.buckets[bucket])
    },

    async close() {
      watch.close()
      client.destroy()
      linkClient?.destroy()
    },
  }
}

async function checkBucket(client: S3Client, bucketName: string): Promise<void> {
  try {
    await headBucket(client, bucketName, checkTimeoutMs)
  } catch (error) {
    const why = error instanceof Error ? error.name : 'unknown reason'
    throw new StorageUnreachable(`S3 bucket '${bucketName}' cannot be used: ${why}`, {
      cause: error,
    })
  }
}

/** Converts a broken connection in the middle of a file to the same error as a failed connection. */
function withStorageErrors(body: Readable, address: FileAddress): Readable {
  const output = new PassThrough()
  let lastMs = performance.now()
  const watching = setInterval(() => {
    // A slow reader makes the store wait; that is not the store's silence.
    if (output.writableNeedDrain) lastMs = performance.now()
    else if (performance.now() - lastMs > bodySilenceMs)
      output.destroy(new StorageUnreachable('S3 stopped in the middle of a file'))
  }, bodySilenceMs / 10).unref()
  body.on('data', () => void (lastMs = performance.now()))
  finished(body, (error) => {
    clearInterval(watching)
    if (error) output.destroy(asStorageError(error, address))
  })
  output.once('close', () => body.destroy())
  return body.pipe(output)
}

function asStorageError(error: unknown, address: FileAddress): Error {
  const name = error instanceof Error ? error.name : 'unknown reason'
  if (error instanceof StorageUnreachable) return error
  if (name === 'NoSuchKey' || name === 'NotFound') return new FileMissing(address, { cause: error })
  if (name === 'InvalidRange') return new RangeError('The range is past the end', { cause: error })
  const Failed = isFull(error) ? StorageFull : StorageUnreachable
  return new Failed(`S3 cannot be used: ${name}`, { cause: error })
}

/** Returns true if the store is full: S3-compatible servers then answer 507. Amazon S3 is never full. */
function isFull(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 507
}
