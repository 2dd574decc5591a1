/**
 * The queue of enhancements. It continues when its page is closed, sends as many at once as the server
 * accepts, and gives each an idempotency key, so that a retry is not charged again.
 */
import { ApiProblem } from '../../../client/client.ts'
import { enhancementsAtOnce } from '../../../contract/enhancement-limits.ts'
import type { Quality } from '../../../contract/enhancement.ts'
import { client, codeOf, explain } from '../../api.ts'
import { newIdempotencyKey } from '../../paid-call.ts'
import { createAccountStore } from '../accounts/account-store.ts'
import { signInSettled } from '../accounts/current-user.ts'

export type Enhanced = Awaited<ReturnType<typeof client.enhancement.generate>>

export type EnhanceJob = {
  readonly id: number
  readonly name: string
  readonly quality: Quality
  readonly state: 'waiting' | 'working' | 'done' | 'failed'
  readonly failure: string | null
  /** The sent picture, to compare with the result. */
  readonly image: Blob
  readonly beforeUrl: string
  readonly result: Enhanced | null
  readonly key: string
}

type Outcome = (job: EnhanceJob) => void

/** The store is emptied when the account changes: another account would be charged for waiting jobs. */
const store = createAccountStore<readonly EnhanceJob[]>([], (jobs) => {
  for (const { beforeUrl } of jobs) URL.revokeObjectURL(beforeUrl)
})
let lastId = 0
let notify: Outcome = () => {}

export function useEnhanceJobs(): readonly EnhanceJob[] {
  return store.use()
}

/** Sets the listener that is called with each finished job. */
export function whenEnhanced(listener: Outcome): () => void {
  notify = listener
  return () => {
    notify = () => {}
  }
}

export function enqueueEnhancement(order: { name: string; quality: Quality; image: Blob }) {
  lastId += 1
  const job: EnhanceJob = {
    ...order,
    id: lastId,
    state: 'waiting',
    failure: null,
    beforeUrl: URL.createObjectURL(order.image),
    result: null,
    key: newIdempotencyKey(),
  }
  store.write([...store.read(), job])
  sendNext()
}

export function retryEnhancement(id: number) {
  change(id, { state: 'waiting', failure: null })
  sendNext()
}

/** Removes a job, unless it is running: it is already charged. */
export function dismissEnhancement(id: number) {
  const gone = store.read().find((job) => job.id === id)
  if (!gone || gone.state === 'working') return
  URL.revokeObjectURL(gone.beforeUrl)
  store.write(store.read().filter((job) => job.id !== id))
}

function sendNext() {
  const working = store.read().filter(({ state }) => state === 'working').length
  const next = store.read().find(({ state }) => state === 'waiting')
  if (!next || working >= enhancementsAtOnce) return
  change(next.id, { state: 'working' })
  void sendForOwner(next)
  sendNext()
}

/** Waits for a change of sign-in that another tab has announced, then sends the job if it still exists. */
async function sendForOwner(job: EnhanceJob) {
  await signInSettled()
  if (store.read().some(({ id }) => id === job.id)) await send(job)
}

async function send({ id, image, quality, key }: EnhanceJob) {
  try {
    const result = await client.enhancement.generate({
      form: { image, quality },
      headers: { 'idempotency-key': key },
    })
    change(id, { state: 'done', result })
  } catch (error) {
    // A response completes the key. Without a response, the retry uses the same key.
    const isSettled = error instanceof ApiProblem && codeOf(error) !== 'IDEMPOTENCY_IN_PROGRESS'
    change(id, {
      state: 'failed',
      failure: explain(error),
      ...(isSettled ? { key: newIdempotencyKey() } : {}),
    })
  }
  const ended = store.read().find((job) => job.id === id)
  if (ended) notify(ended)
  sendNext()
}

function change(id: number, part: Partial<EnhanceJob>) {
  store.write(store.read().map((job) => (job.id === id ? { ...job, ...part } : job)))
}
