import { expect, test } from 'vitest'
import { inAccountScope } from '../../src/server/platform/concurrency/account-scope.ts'
import type { FairSemaphoreOptions } from '../../src/server/platform/concurrency/fair-semaphore.ts'
import { FairSemaphore } from '../../src/server/platform/concurrency/fair-semaphore.ts'

const pause = () => new Promise((resolve) => setImmediate(resolve))

/** Work that says when it begins, and ends when it is told to. */
function stage(options: FairSemaphoreOptions) {
  const semaphore = new FairSemaphore(options)
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
    await pause()
  }
  return { semaphore, begun, ask, end }
}

test('accounts take turns, however many pieces of work one of them has', async () => {
  const { begun, ask, end } = stage({ atOnce: 1 })
  const asked = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => ask(name.charAt(0), name))
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']) {
    await pause()
    expect(begun.at(-1)).toBe(name)
    await end(name)
  }
  await Promise.all(asked)
})

test('the reserve is for accounts that have nothing running', async () => {
  const { begun, ask, end } = stage({ atOnce: 2, reserve: 1 })
  const asked = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => ask(name.charAt(0), name))
  await pause()
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  // Two are left: a third of somebody who has one already would take the reserve.
  await end('a1')
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1'])
  await end('b1')
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'b2'])
  for (const name of ['a2', 'c1', 'b2', 'a3']) await end(name)
  await Promise.all(asked)
  expect(begun.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'c1'])
})

test('what is too heavy for now is not overtaken, and what is too heavy for ever runs alone', async () => {
  const { begun, ask, end } = stage({ atOnce: 3, capacity: 10 })
  const asked = [ask('a', 'light', 6), ask('b', 'heavy', 500), ask('c', 'small', 1)]
  await pause()
  expect(begun).toEqual(['light'])
  await end('light')
  expect(begun).toEqual(['light', 'heavy'])
  await end('heavy')
  expect(begun).toEqual(['light', 'heavy', 'small'])
  await end('small')
  await Promise.all(asked)
})

test('work that fails gives its place back', async () => {
  const { semaphore, begun, ask, end } = stage({ atOnce: 1 })
  const failing = semaphore.run(async () => {
    throw new Error('no')
  })
  const next = ask('a', 'next')
  await expect(failing).rejects.toThrow('no')
  await pause()
  expect(begun).toEqual(['next'])
  await end('next')
  await next
  expect(semaphore.isIdle).toBe(true)
})
