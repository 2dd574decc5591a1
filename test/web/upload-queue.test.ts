/** The queue of uploads: refusals, network failures, broken files and cancelled uploads. */
import { beforeEach, expect, test } from 'vitest'
import { ApiProblem } from '../../src/client/client.ts'
import { createUploadQueue, type UploadSource } from '../../src/web/uploads/upload-queue.ts'

let isOnline: boolean
let nowMs: number
let timers: { at: number; run: () => void }[]

beforeEach(() => {
  isOnline = true
  nowMs = 0
  timers = []
})

test('fifty files arrive three at a time, though the server refuses in between', async () => {
  let sending = 0
  let max = 0
  let tokens = 33
  const waits: number[] = []
  const stage = openStage(async () => {
    sending += 1
    max = Math.max(max, sending)
    await Promise.resolve()
    sending -= 1
    if (tokens === 0) throw refusal(429, { 'retry-after': '9' })
    tokens -= 1
  })
  stage.queue.add(files(50), stage.batch)
  await settled()
  expect([stage.arrived.length, stage.queue.now().rest?.reason]).toEqual([33, 'limit'])
  while (timers.length > 0) {
    const before = nowMs
    tokens = 20
    await passRest()
    waits.push(nowMs - before)
  }
  expect(stage.arrived.toSorted((one, other) => one - other)).toEqual([...files(50).keys()])
  expect([max, waits]).toEqual([3, [9000]])
  expect(stage.queue.now().uploads.every(({ state }) => state === 'stored')).toBe(true)
})

test('without a network it waits, and nothing counts as a failure', async () => {
  const stage = openStage(async () => {
    if (!isOnline) throw new TypeError('The connection broke off')
  })
  isOnline = false
  stage.queue.add(files(4), stage.batch)
  for (let minute = 0; minute < 20; minute += 1) await passRest()
  expect(stage.queue.now()).toMatchObject({ rest: { reason: 'offline' } })
  expect(stage.queue.now().uploads.every(({ state }) => state === 'waiting')).toBe(true)
  isOnline = true
  stage.queue.goOn()
  await settled()
  expect(stage.arrived).toHaveLength(4)
})

test('a connection that keeps breaking ends in a failure that can be tried again', async () => {
  let isBroken = true
  const stage = openStage(async () => {
    if (isBroken) throw new TypeError('The connection broke off')
  })
  stage.queue.add(files(1), stage.batch)
  await settled()
  let rests = 0
  for (; timers.length > 0 && rests < 50; rests += 1) await passRest()
  const [failed] = stage.queue.now().uploads
  expect(failed).toMatchObject({ state: 'failed', failure: expect.stringMatching(/reached/) })
  expect([rests, stage.givenUp]).toEqual([5, [0]])
  isBroken = false
  stage.queue.retry(() => true)
  await settled()
  expect(stage.arrived).toEqual([0])
  // However often it was sent, it is one upload for the server.
  expect(new Set(stage.sentKeys)).toEqual(new Set(['key-1']))
})

test('what the server refuses for good fails at once, in plain words, and the others go on', async () => {
  const refusals: Record<string, object> = {
    '1.jpg': { error: 'UPLOAD_ERROR', message: 'Upload failed: Invalid file content: it is empty' },
    '3.jpg': { error: 'UPLOAD_ERROR', message: 'Upload failed: Invalid file extension: none' },
    '4.jpg': { error: 'FILE_TOO_LARGE', message: 'The file is larger than 1 MB' },
    '5.jpg': { code: 'QUOTA_EXCEEDED', message: 'No room', suggestion: 'Make some.' },
  }
  const stage = openStage(async ({ name }) => {
    const body = refusals[name]
    if (body) throw refusal('code' in body ? 413 : 400, {}, body)
  })
  stage.queue.add(files(6), stage.batch)
  await settled()
  expect(stage.arrived).toEqual([0, 2])
  const failures = stage.queue.now().uploads.filter(({ state }) => state === 'failed')
  expect(failures.map(({ failure, canRetry }) => [failure, canRetry])).toEqual([
    [expect.stringMatching(/^This file is damaged/), false],
    [expect.stringMatching(/Rename the file/), false],
    [expect.stringMatching(/^This file is too large: .+\.$/), false],
    ['No room. Make some.', true],
  ])
  stage.queue.retry(() => true)
  await settled()
  expect(stage.sentKeys.filter((key) => key === 'key-2')).toHaveLength(1)
  expect(stage.sentKeys.filter((key) => key === 'key-6')).toHaveLength(2)
})

test('a file that is larger than the site takes is not sent at all', async () => {
  const stage = openStage(async () => {}, 100 * 1024 ** 2)
  const large = { ...files(1)[0]!, sizeBytes: 120 * 1024 ** 2 }
  let opened = 0
  // Opening an entry of a zip unpacks it.
  const open = async () => new File(['x'], `${(opened += 1)}.jpg`)
  stage.queue.add([{ ...large, open }, ...files(1)], stage.batch)
  await settled()
  expect(opened).toBe(0)
  expect([stage.arrived, stage.sentKeys.length]).toEqual([[1], 1])
  expect(stage.queue.now().uploads[0]).toMatchObject({
    failure: 'This file is too large: 120 MB of at most 100 MB.',
    canRetry: false,
  })
})

test('many files that are too large fail one after the other, and the others arrive once', async () => {
  const stage = openStage(async () => {}, 10)
  const large = files(40).map((file) => ({ ...file, sizeBytes: 11 }))
  stage.queue.add([...large, ...files(5)], stage.batch)
  await settled()
  expect(stage.givenUp.toSorted((one, other) => one - other)).toEqual([...large.keys()])
  expect(stage.arrived).toEqual([40, 41, 42, 43, 44])
  expect(stage.sentKeys).toHaveLength(5)
})

test('a file that cannot be opened any more says so, and the others go on', async () => {
  const stage = openStage(async () => {})
  const gone: UploadSource = {
    ...files(1)[0]!,
    name: 'gone.jpg',
    open: () => Promise.reject(Error()),
  }
  stage.queue.add([gone, ...files(2)], stage.batch)
  await settled()
  expect(stage.arrived).toEqual([1, 2])
  expect(stage.queue.now().uploads[0]?.failure).toContain('could not be read')
})

test('paused, nothing is sent and what was on its way is stopped; resumed, all of it arrives', async () => {
  const held = Promise.withResolvers<void>()
  let isHeld = true
  const stopped: string[] = []
  const stage = openStage(async (file, signal) => {
    if (!isHeld) return
    signal.addEventListener('abort', () => stopped.push(file.name))
    await Promise.race([held.promise, aborted(signal)])
  })
  stage.queue.add(files(5), stage.batch)
  await settled()
  stage.queue.pause()
  await settled()
  expect(stopped).toEqual(['0.jpg', '1.jpg', '2.jpg'])
  expect(stage.queue.now().uploads.every(({ state }) => state === 'waiting')).toBe(true)
  isHeld = false
  stage.queue.resume()
  await settled()
  expect(stage.arrived).toHaveLength(5)
})

test('what is cancelled is stopped, leaves the list, and makes room for the next', async () => {
  let isHeld = true
  const stage = openStage(async (_, signal) => {
    if (isHeld) await aborted(signal)
  })
  stage.queue.add(files(4), stage.batch)
  await settled()
  isHeld = false
  const [first] = stage.queue.now().uploads
  stage.queue.remove(({ id }) => id === first?.id)
  await settled()
  expect([stage.arrived, stage.givenUp]).toEqual([[3], [0]])
  expect(stage.queue.now().uploads).toHaveLength(3)
})

test('signed out, the queue pauses and keeps every file', async () => {
  const stage = openStage(async () => {
    throw refusal(401, {}, { message: 'Unauthorized' })
  })
  stage.queue.add(files(10), stage.batch)
  await settled()
  const { uploads, isPaused } = stage.queue.now()
  expect([isPaused, uploads.map(({ state }) => state)]).toEqual([true, Array(10).fill('waiting')])
  expect(uploads[0]?.failure).toContain('signed out')
})

function openStage(
  send: (file: File, signal: AbortSignal) => Promise<void>,
  maxBytes: number | null = null,
) {
  const arrived: number[] = []
  const givenUp: number[] = []
  const sentKeys: string[] = []
  let keys = 0
  const queue = createUploadQueue<string>({
    async send(file, { key, signal }) {
      sentKeys.push(key)
      await send(file, signal)
      return file.name
    },
    newIdempotencyKey: () => `key-${(keys += 1)}`,
    nowMs: () => nowMs,
    setTimer(run, ms) {
      const timer = { at: nowMs + ms, run }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    isOnline: () => isOnline,
    maxBytes: () => maxBytes,
  })
  const batch = {
    purpose: 'general' as const,
    onStored: (_: string, index: number) => void arrived.push(index),
    onGivenUp: (index: number) => void givenUp.push(index),
  }
  return { queue, batch, arrived, givenUp, sentKeys }
}

function files(count: number): UploadSource[] {
  return Array.from({ length: count }, (_, n) => ({
    name: `${n}.jpg`,
    sizeBytes: 1,
    open: async () => new File(['x'], `${n}.jpg`),
  }))
}

function refusal(status: number, headers: Record<string, string>, body: unknown = {}) {
  return new ApiProblem({ status, headers: new Headers(headers), body })
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('Stopped', 'AbortError')))
  })
}

/** Waits until all pending promises have settled. */
async function settled() {
  for (let turn = 0; turn < 500; turn += 1) await Promise.resolve()
}

async function passRest() {
  const next = timers.toSorted((one, other) => one.at - other.at)[0]
  if (next) {
    timers = timers.filter((timer) => timer !== next)
    nowMs = next.at
    next.run()
  }
  await settled()
}
