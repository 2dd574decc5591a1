/** How an S3 store is asked: with time limits, and not at all while it is known not to answer. */
import { HeadBucketCommand, S3Client } from '@aws-sdk/client-s3'
import type { OutageWatch } from '../outage-watch.ts'
import { createOutageWatch } from '../outage-watch.ts'
import type { Bucket } from './storage.ts'
import { StorageUnreachable } from './storage.ts'

export type S3StorageOptions = {
  /** Absent means Amazon's own; given, buckets are named in the path. */
  endpoint?: string | undefined
  /** Where browsers reach the store, if not at `endpoint`; null when they cannot, so no presigning. */
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
    // Amazon's newer trailing checksums are unknown to many stores that speak S3.
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
 * Lets no command wait for a store that has stopped answering, those within an upload neither. Who
 * sends or receives the bytes of a large file is not waiting: as long as they move, they go on.
 */
export function watchStore(options: S3StorageOptions, client: S3Client): OutageWatch<never> {
  const watch = createOutageWatch<never>({
    async probe() {
      // On a connection of its own: those at hand may be the ones that are dead.
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
    // The connections are dropped; whatever is asked next makes new ones.
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
/** Those that move or join a file's bytes take as long as these need. */
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
