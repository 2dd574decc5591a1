import { expect, test } from 'vitest'
import { createTurns } from '../../src/server/platform/concurrency/turns.ts'

const pause = () => new Promise((resolve) => setImmediate(resolve))

test('work under one key runs one after another, under two keys side by side', async () => {
  const turns = createTurns()
  const log: string[] = []
  const work = (name: string) => async () => {
    log.push(`${name} begins`)
    await pause()
    log.push(`${name} ends`)
  }
  await Promise.all([
    turns.inTurn('a', work('a1')),
    turns.inTurn('a', work('a2')),
    turns.inTurn('b', work('b1')),
  ])
  expect(log).toEqual(['a1 begins', 'b1 begins', 'a1 ends', 'a2 begins', 'b1 ends', 'a2 ends'])
})

test('work that fails does not stop what waits behind it', async () => {
  const turns = createTurns()
  const failing = turns.inTurn('a', async () => {
    await pause()
    throw new Error('no')
  })
  const next = turns.inTurn('a', async () => 'yes')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('yes')
})

test('what waits is run as one batch, and each gets its own result', async () => {
  const turns = createTurns()
  const batches: number[][] = []
  const double = async (numbers: readonly number[]) => {
    batches.push([...numbers])
    await pause()
    return numbers.map((number) => number * 2)
  }
  const ask = (number: number) => turns.gather('a', number, double)
  const first = ask(1)
  await Promise.resolve()
  await Promise.resolve()
  const others = [ask(2), ask(3), ask(4)]
  expect(await Promise.all([first, ...others])).toEqual([2, 4, 6, 8])
  expect(batches).toEqual([[1], [2, 3, 4]])
})

test('a failing batch fails for all its members, and not for the next batch', async () => {
  const turns = createTurns()
  let fails = true
  const run = async (requests: readonly string[]) => {
    if (fails) throw new Error('the database is away')
    return requests
  }
  const attempts = await Promise.allSettled([
    turns.gather('a', 'x', run),
    turns.gather('a', 'y', run),
  ])
  expect(attempts.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await turns.gather('a', 'z', run)).toBe('z')
})

test('a batch has a bound, and the rest makes the next', async () => {
  const turns = createTurns()
  const sizes: number[] = []
  const run = async (requests: readonly number[]) => {
    sizes.push(requests.length)
    return requests
  }
  const results = await Promise.all(
    Array.from({ length: 600 }, (_, index) => turns.gather('a', index, run)),
  )
  expect(results).toEqual(Array.from({ length: 600 }, (_, index) => index))
  expect(Math.max(...sizes)).toBeLessThanOrEqual(256)
})

test('several batches can run at once, and the next waits for the first to end', async () => {
  const turns = createTurns()
  const ends: (() => void)[] = []
  const batches: string[][] = []
  const run = async (requests: readonly string[]) => {
    batches.push([...requests])
    await new Promise<void>((resolve) => ends.push(resolve))
    return requests
  }
  const ask = async (request: string) => {
    const answer = turns.gather('a', request, run, { atOnce: 2 })
    await pause()
    return { answer }
  }
  const asked = [await ask('1'), await ask('2'), await ask('3'), await ask('4')]
  expect(batches).toEqual([['1'], ['2']])
  // The first batch hangs forever; the second ends.
  ends[1]?.()
  await pause()
  expect(batches).toEqual([['1'], ['2'], ['3', '4']])
  ends[2]?.()
  expect(await Promise.all(asked.slice(1).map(({ answer }) => answer))).toEqual(['2', '3', '4'])
})
