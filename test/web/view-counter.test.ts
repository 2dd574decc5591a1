/** Viewed slides are reported in few requests, each slide once, and none is lost when a request fails. */
import { expect, test } from 'vitest'
import { ApiProblem } from '../../src/client/client.ts'
import { type Charge, createViewCounter } from '../../src/web/features/player/view-counter.ts'

const settled = () => new Promise((resolve) => setTimeout(resolve))

function openDesk(answers: (Error | Charge)[] = [], beginnings: Error[] = []) {
  const told: number[][] = []
  const plays: number[] = []
  const charges: Charge[] = []
  let begun = 0
  let unpaid = 0
  const counter = createViewCounter({
    begin: async () => {
      begun += 1
      const failure = beginnings.shift()
      if (failure) throw failure
      return begun
    },
    report: async (play, mediaIds) => {
      told.push(mediaIds)
      plays.push(play)
      const answer = answers.shift() ?? { charged: mediaIds.length, balance: 100 }
      if (answer instanceof Error) throw answer
      return answer
    },
    onCharge: (charge) => charges.push(charge),
    onUnpaid: () => (unpaid += 1),
  })
  return { counter, told, plays, charges, read: () => ({ begun, unpaid }) }
}

test('25 slides are reported in five requests of one play, the first slide at once', async () => {
  const { counter, told, read } = openDesk()
  for (let id = 1; id <= 25; id += 1) counter.saw(id)
  await settled()
  expect(told.map((ids) => ids.length)).toEqual([1, 6, 6, 6, 6])
  expect(told.flat()).toEqual(Array.from({ length: 25 }, (_, at) => at + 1))
  expect(read().begun).toBe(1)
})

test('a repeated slide is not reported again, and the rest is reported at the end', async () => {
  const { counter, told } = openDesk()
  for (const id of [1, 2, 1, 3, 2]) counter.saw(id)
  counter.settle({ isLeaving: true })
  counter.settle({ isLeaving: true })
  await settled()
  expect(new Set(told.flat())).toEqual(new Set([1, 2, 3]))
  expect(told.flat()).toHaveLength(3)
})

test('a report that may be lost is sent again with the next ones, in the same play', async () => {
  const { counter, told, plays } = openDesk([new TypeError('the answer was lost')])
  counter.saw(1)
  await settled()
  counter.saw(2)
  counter.settle({ isLeaving: false })
  await settled()
  expect(told).toEqual([[1], [1, 2]])
  expect(plays).toEqual([1, 1])
})

test('a play that could not start is started again', async () => {
  const busy = new ApiProblem({ status: 429, headers: new Headers(), body: {} })
  const { counter, told, plays } = openDesk([], [new TypeError('offline'), busy])
  for (const id of [1, 2, 3]) {
    counter.saw(id)
    counter.settle({ isLeaving: false })
    await settled()
  }
  expect(told).toEqual([[1, 2, 3]])
  expect(plays).toEqual([3])
})

test('without credits it says so once and reports no more', async () => {
  const refusal = new ApiProblem({ status: 402, headers: new Headers(), body: {} })
  const { counter, told, charges, read } = openDesk([refusal])
  for (let id = 1; id <= 20; id += 1) counter.saw(id)
  await settled()
  counter.settle({ isLeaving: true })
  await settled()
  expect([told.length, charges, read().unpaid]).toEqual([1, [], 1])
})
