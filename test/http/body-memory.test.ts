/** The memory limit for large bodies: the order of waiting requests, and the senders that are given up. */
import { expect, test } from 'vitest'
import type { BodyMemoryLimits, BodyShare } from '../../src/server/http/bodies/body-memory.ts'
import { createBodyMemory } from '../../src/server/http/bodies/body-memory.ts'
import { eventually } from '../support/eventually.ts'

const never = 1_000_000_000

/** Returns a limit of a hundred bytes, of which an account may use forty. */
function memoryWith(limits: Partial<BodyMemoryLimits> = {}) {
  return createBodyMemory({
    maxBytes: 100,
    accountMaxBytes: 40,
    maxWaiting: 100,
    waitMs: never,
    slowAfterMs: never,
    slowBytesPerSecond: 0,
    checkMs: 5,
    ...limits,
  })
}

/** Returns the current outcome of a wait. */
function watch(wait: Promise<void>) {
  const state = { outcome: 'waiting' as unknown }
  wait.then(
    () => (state.outcome = 'granted'),
    (error: unknown) => (state.outcome = error),
  )
  return state
}

const settled = () => new Promise((resolve) => setImmediate(resolve))
const refusal = { failure: { status: 429 }, headers: { 'Retry-After': expect.any(String) } }

async function outcomes(...takes: { outcome: unknown }[]) {
  await settled()
  return takes.map(({ outcome }) => outcome)
}

/** Opens a share that another account holds while it works. */
async function worker(
  memory: ReturnType<typeof memoryWith>,
  bytes: number,
  name = 'worker',
): Promise<BodyShare> {
  const share = memory.open(name)
  await share.take(bytes)
  await share.beginWork()
  return share
}

test('bodies are read as they arrive while there is memory', async () => {
  const memory = memoryWith()
  const takes = ['ana', 'bo', 'cy'].map((name) => watch(memory.open(name).take(30)))
  expect(await outcomes(...takes)).toEqual(['granted', 'granted', 'granted'])
})

test('past the limit the next body waits until one has been answered', async () => {
  const memory = memoryWith()
  const working = await worker(memory, 90)
  const waiting = watch(memory.open('ana').take(20))
  expect(await outcomes(waiting)).toEqual(['waiting'])
  working.release()
  expect(await outcomes(waiting)).toEqual(['granted'])
})

test('past its share an account waits only for itself', async () => {
  const memory = memoryWith()
  const [first, second] = [memory.open('ana'), memory.open('ana')]
  await first.take(30)
  const own = watch(second.take(20))
  const other = watch(memory.open('bo').take(40))
  expect(await outcomes(own, other)).toEqual(['waiting', 'granted'])
  first.release()
  expect(await outcomes(own)).toEqual(['granted'])
})

test('the first body of an account may be larger than its share', async () => {
  const memory = memoryWith()
  await memory.open('ana').take(80)
})

test('free space goes to the account that holds least, even if it asked last', async () => {
  const memory = memoryWith()
  const [one, two] = [await worker(memory, 20), await worker(memory, 40, 'another')]
  const [ana, bo] = [memory.open('ana'), memory.open('bo')]
  await ana.take(30)
  await bo.take(10)
  const takes = [watch(ana.take(20)), watch(bo.take(20))]
  expect(await outcomes(...takes)).toEqual(['waiting', 'waiting'])
  one.release()
  expect(await outcomes(...takes)).toEqual(['waiting', 'granted'])
  two.release()
  expect(await outcomes(...takes)).toEqual(['granted', 'granted'])
})

test('when all wait for each other the first one continues, alone', async () => {
  const memory = memoryWith()
  const [one, two, three] = [memory.open('ana'), memory.open('bo'), memory.open('cy')]
  for (const share of [one, two, three]) await share.take(33)
  const takes = [watch(two.take(33)), watch(three.take(33)), watch(one.take(33))]
  expect(await outcomes(...takes)).toEqual(['waiting', 'waiting', 'granted'])
  one.release()
  expect(await outcomes(...takes)).toEqual(['granted', 'waiting', 'granted'])
})

test('bodies that were read are processed before more is read', async () => {
  const memory = memoryWith()
  const working = await worker(memory, 40)
  const [ana, bo] = [memory.open('ana'), memory.open('bo')]
  await ana.take(20)
  await bo.take(30)
  const takes = [watch(ana.take(20)), watch(bo.beginWork({ times: 3 }))]
  expect(await outcomes(...takes)).toEqual(['waiting', 'waiting'])
  working.release()
  expect(await outcomes(...takes)).toEqual(['waiting', 'granted'])
})

test('a second release of the same memory has no effect', async () => {
  const memory = memoryWith()
  const one = memory.open('ana')
  await one.take(80)
  one.release()
  one.release()
  await worker(memory, 80)
  expect(await outcomes(watch(memory.open('bo').take(30)))).toEqual(['waiting'])
})

test('a caller that aborts while waiting is skipped', async () => {
  const memory = memoryWith()
  await worker(memory, 100)
  const share = memory.open('ana')
  const waiting = watch(share.take(10))
  share.release()
  expect(await outcomes(waiting)).toEqual([expect.objectContaining({ failure: expect.anything() })])
})

test('nobody waits for ever', async () => {
  const memory = memoryWith({ waitMs: 20 })
  await worker(memory, 100)
  await expect(memory.open('ana').take(10)).rejects.toMatchObject(refusal)
})

test('past the limit of waiting callers, the latest one of the account with the most is refused', async () => {
  const memory = memoryWith({ maxWaiting: 3, accountMaxBytes: 1000 })
  await worker(memory, 100)
  const [first, second, third] = [1, 2, 3].map(() => watch(memory.open('ana').take(1)))
  const bo = watch(memory.open('bo').take(1))
  expect(await outcomes(...[first, second, third, bo].flatMap((take) => take ?? []))).toEqual([
    'waiting',
    'waiting',
    expect.objectContaining({ failure: expect.objectContaining({ status: 429 }) }),
    'waiting',
  ])
})

test('a slow sender is dropped if a caller that holds less waits', async () => {
  const memory = memoryWith({ slowAfterMs: 20, slowBytesPerSecond: never })
  const [slow, alsoSlow] = [memory.open('ana'), memory.open('bo')]
  await slow.take(60)
  await alsoSlow.take(40)
  slow.signal.addEventListener('abort', () => slow.release())
  const waiting = watch(memory.open('cy').take(20))
  await eventually(() => expect(waiting.outcome).toBe('granted'))
  expect(slow.signal.reason).toMatchObject(refusal)
  expect(alsoSlow.signal.aborted).toBe(false)
})

test('a fast sender, or one that holds no more than the waiting caller, is kept', async () => {
  const memory = memoryWith({ slowAfterMs: 1, slowBytesPerSecond: 1, waitMs: 60 })
  const fast = memory.open('ana')
  await fast.take(100)
  await expect(memory.open('bo').take(20)).rejects.toMatchObject(refusal)
  expect(fast.signal.aborted).toBe(false)
})
