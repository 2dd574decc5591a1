/**
 * Pictures that are being enhanced. The queue outlives the page it was begun on; it sends as many at a
 * time as the server takes, each with a key of its own, so that a second try is not paid for twice.
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
  /** What was sent, to be compared with what came of it. */
  readonly image: Blob
  readonly beforeUrl: string
  readonly result: Enhanced | null
  readonly key: string
}

type Outcome = (job: EnhanceJob) => void

/** Those that another account finds waiting are never sent: they would be charged to it. */
const store = createAccountStore<readonly EnhanceJob[]>([], (jobs) => {
  for (const { beforeUrl } of jobs) URL.revokeObjectURL(beforeUrl)
})
let lastId = 0
let tell: Outcome = () => {}

export function useEnhanceJobs(): readonly EnhanceJob[] {
  return store.use()
}

/** Who hears of each that ends. */
export function whenEnhanced(listener: Outcome): () => void {
  tell = listener
  return () => {
    tell = () => {}
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

/** One that is being worked on stays: it is paid for. */
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

/** Another tab may have signed somebody else in, which this one has not heard of yet. */
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
    // An answer has settled the key; without one, the next try asks for the same.
    const isSettled = error instanceof ApiProblem && codeOf(error) !== 'IDEMPOTENCY_IN_PROGRESS'
    change(id, {
      state: 'failed',
      failure: explain(error),
      ...(isSettled ? { key: newIdempotencyKey() } : {}),
    })
  }
  const ended = store.read().find((job) => job.id === id)
  if (ended) tell(ended)
  sendNext()
}

function change(id: number, part: Partial<EnhanceJob>) {
  store.write(store.read().map((job) => (job.id === id ? { ...job, ...part } : job)))
}
