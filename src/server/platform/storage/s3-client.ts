/** The S3 client: with time limits, and no requests while the store is known not to answer. */
import { HeadBucketCommand, S3Client } from '@aws-sdk/client-s3'
import type { OutageWatch } from '../outage-watch.ts'
import { createOutageWatch } from '../outage-watch.ts'
import type { Bucket } from './storage.ts'
import { StorageUnreachable } from './storage.ts'

export type S3StorageOptions = {
  /** The store's address. If absent, Amazon S3; if set, bucket names are in the path. */
  endpoint?: string | undefined
  /** The store's address for browsers, if not `endpoint`. Null turns presigning off: they cannot reach it. */
  publicEndpoint?: string | null | undefined
  region: string
  accessKeyId: string
  secretAccessKey: string
  buckets: Record<Bucket, string>
}

const connectTimeoutMs = 3_000
const answerTimeoutMs = 30_000
const idleTimeoutMs = 60_000
const probeTimeoutMs = 1_200

export function createClient(options: S3StorageOptions, endpoint: string | undefined): S3Client {
  return new S3Client({
    region: options.region,
    credentials: {
      accessKeyId: options.accessKeyId,
      secretAccessKey: options.secretAccessKey,
    },
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    // Many S3-compatible stores do not support Amazon's newer trailing checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      requestTimeout: answerTimeoutMs,
      throwOnRequestTimeout: true,
      socketTimeout: idleTimeoutMs,
    },
  })
}

/**
 * Stops commands from waiting for a store that no longer answers, including those within an upload.
 * Transfers of large files do not count as waiting: they continue as long as bytes move.
 */
export function watchStore(options: S3StorageOptions, client: S3Client): OutageWatch<never> {
  const watch = createOutageWatch<never>({
    async probe() {
      // A new connection: the existing ones may be dead.
      const prober = createClient(options, options.endpoint)
      try {
        await headBucket(prober, options.buckets['user-media'], probeTimeoutMs)
      } catch (error) {
        if (!isStoresWord(error)) throw error
      } finally {
        prober.destroy()
      }
      return []
    },
    isAnswer: isStoresWord,
    refusal: (reason) => new StorageUnreachable(`S3 ${reason}`),
    // Drops the connections. The next request opens new ones.
    onAway: () => client.destroy(),
  })
  client.middlewareStack.add(
    (next, { commandName }) =>
      (args) =>
        watch.run(() => next(args), {
          limitMs: longCommands.has(commandName ?? '') ? Infinity : commandLimitMs,
        }),
    { step: 'initialize', name: 'outageWatch' },
  )
  return watch
}

const commandLimitMs = 10_000
/** Commands that move or join the bytes of a file take as long as the file needs. */
const longCommands: ReadonlySet<string> = new Set([
  'PutObjectCommand',
  'UploadPartCommand',
  'CompleteMultipartUploadCommand',
  'CopyObjectCommand',
])

function isStoresWord(error: unknown): boolean {
  if (!(error instanceof Error && '$metadata' in error)) return false
  const metadata = error.$metadata
  return typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata
    ? metadata.httpStatusCode !== undefined
    : false
}

export async function headBucket(
  client: S3Client,
  bucketName: string,
  limitMs: number,
): Promise<void> {
  const abortSignal = AbortSignal.timeout(limitMs)
  await client.send(new HeadBucketCommand({ Bucket: bucketName }), { abortSignal })
}
