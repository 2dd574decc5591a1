/** A limit on concurrent work: fair by account, with a bounded queue that callers can leave. */
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inAccountScope } from '../../src/server/platform/concurrency/account-scope.ts'
import type { SemaphoreOptions } from '../../src/server/platform/concurrency/semaphore.ts'
import {
  forEachLimit,
  Semaphore,
  SemaphoreFull,
} from '../../src/server/platform/concurrency/semaphore.ts'

/** Returns a semaphore with work that records its start and ends on request. */
function stage(options: SemaphoreOptions) {
  const semaphore = new Semaphore(options)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const ask = (account: string, name: string, weight = 0) =>
    inAccountScope({ account }, () =>
      semaphore.run(
        async () => {
          begun.push(name)
          await new Promise<void>((resolve) => void ends.set(name, resolve))
        },
        { weight },
      ),
    )
  const end = async (name: string) => {
    ends.get(name)?.()
    await setImmediate()
  }
  return { semaphore, begun, ask, end }
}

test('accounts take turns, however much work one of them has', async () => {
  const { begun, ask, end } = stage({ atOnce: 1 })
  const asked = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => ask(name.charAt(0), name))
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']) {
    await setImmediate()
    expect(begun.at(-1)).toBe(name)
    await end(name)
  }
  await Promise.all(asked)
})

test('the reserve is for accounts without running work', async () => {
  const { begun, ask, end } = stage({ atOnce: 2, reserve: 1 })
  const asked = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => ask(name.charAt(0), name))
  await setImmediate()
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  // Two are running. Another one for an account that already has one would use the reserve.
  await end('a1')
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1'])
  await end('b1')
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'b2'])
  for (const name of ['a2', 'c1', 'b2', 'a3']) await end(name)
  await Promise.all(asked)
  expect(begun.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'c1'])
})

test('work that must wait is not overtaken, and work that can never fit runs alone', async () => {
  const { begun, ask, end } = stage({ atOnce: 3, capacity: 10 })
  const asked = [ask('a', 'light', 6), ask('b', 'heavy', 500), ask('c', 'small', 1)]
  await setImmediate()
  expect(begun).toEqual(['light'])
  await end('light')
  expect(begun).toEqual(['light', 'heavy'])
  await end('heavy')
  expect(begun).toEqual(['light', 'heavy', 'small'])
  await end('small')
  await Promise.all(asked)
})

test('failed work releases its slot', async () => {
  const { semaphore, begun, ask, end } = stage({ atOnce: 1 })
  const failing = semaphore.run(async () => {
    throw new Error('no')
  })
  const next = ask('a', 'next')
  await expect(failing).rejects.toThrow('no')
  await setImmediate()
  expect(begun).toEqual(['next'])
  await end('next')
  await next
  expect(semaphore.isIdle).toBe(true)
})

test('without accounts it is first come, first served', async () => {
  const { begun, ask, end } = stage({ atOnce: 2 })
  const asked = ['one', 'two', 'three', 'four'].map((name) => ask('a', name))
  await setImmediate()
  expect(begun).toEqual(['one', 'two'])
  for (const name of ['two', 'three', 'one', 'four']) await end(name)
  expect(begun).toEqual(['one', 'two', 'three', 'four'])
  await Promise.all(asked)
})

test('an abort leaves the queue, and no permit is lost', async () => {
  const semaphore = new Semaphore({ atOnce: 1 })
  const release = await semaphore.acquire()
  const leaving = new AbortController()
  const impatient = semaphore.run(async () => 'never', { signal: leaving.signal })
  const patient = semaphore.run(async () => 'done')
  leaving.abort(new Error('enough'))
  await expect(impatient).rejects.toThrow('enough')
  release()
  expect(await patient).toBe('done')
  await expect(semaphore.acquire({ signal: leaving.signal })).rejects.toThrow('enough')
  expect(semaphore.isIdle).toBe(true)
})

test('work that waits behind heavy work starts when that leaves the queue', async () => {
  const semaphore = new Semaphore({ atOnce: 2, capacity: 10 })
  const release = await semaphore.acquire({ weight: 6 })
  const leaving = new AbortController()
  const heavy = semaphore.acquire({ weight: 9, signal: leaving.signal })
  const light = semaphore.acquire({ weight: 1 })
  leaving.abort(new Error('enough'))
  await expect(heavy).rejects.toThrow('enough')
  ;(await light)()
  release()
  expect(semaphore.isIdle).toBe(true)
})

test('a permit released twice admits one', async () => {
  const semaphore = new Semaphore({ atOnce: 1 })
  const release = await semaphore.acquire()
  const [second, third] = [semaphore.acquire(), semaphore.acquire()]
  let isThirdIn = false
  void third.then(() => (isThirdIn = true))
  release()
  release()
  await second
  await setImmediate()
  expect(isThirdIn).toBe(false)
})

test('each account has its limit of permits, and others have theirs', () => {
  const semaphore = new Semaphore({ atOnce: Infinity, atOncePerAccount: 2 })
  const tryAs = (account: string) => inAccountScope({ account }, () => semaphore.tryAcquire())
  const first = tryAs('a')
  expect(tryAs('a')).not.toBeNull()
  expect(tryAs('a')).toBeNull()
  expect(tryAs('b')).not.toBeNull()
  first?.()
  expect(tryAs('a')).not.toBeNull()
  expect(tryAs('a')).toBeNull()
})

test('a bounded queue refuses more work, and accepts it when it has moved', async () => {
  const semaphore = new Semaphore({ atOnce: 1, maxWaiting: 1 })
  const release = await semaphore.acquire()
  const second = semaphore.acquire()
  await expect(semaphore.acquire()).rejects.toThrow(SemaphoreFull)
  release()
  const releaseSecond = await second
  const third = semaphore.acquire()
  releaseSecond()
  ;(await third)()
  expect(semaphore.isIdle).toBe(true)
})

test('every item in a list is processed once, and never more at a time than the limit', async () => {
  const done: number[] = []
  let running = 0
  let max = 0
  await forEachLimit(Array(20).keys(), 3, async (item) => {
    running += 1
    max = Math.max(max, running)
    await setImmediate()
    done.push(item)
    running -= 1
  })
  expect(done.toSorted((a, b) => a - b)).toEqual([...Array(20).keys()])
  expect(max).toBe(3)
})

test('a long list is read only as far as it is processed', async () => {
  let read = 0
  let done = 0
  const items = function* () {
    for (; read < 1000; read += 1) yield read
  }
  await forEachLimit(items(), 3, async () => {
    await setImmediate()
    done += 1
    expect(read - done).toBeLessThan(4)
  })
  expect(done).toBe(1000)
})

test('after a failure in a list nothing new starts, and nothing keeps running', async () => {
  const begun: number[] = []
  let running = 0
  const work = forEachLimit(Array(20).keys(), 3, async (item) => {
    begun.push(item)
    running += 1
    await setImmediate()
    if (item === 4) {
      running -= 1
      throw new Error('the fifth failed')
    }
    await setImmediate()
    running -= 1
  })
  await expect(work).rejects.toThrow('the fifth failed')
  expect(running).toBe(0)
  expect(begun.length).toBeLessThan(9)
})
