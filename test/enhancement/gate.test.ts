import { expect, test } from 'vitest'
import { createGate } from '../../src/server/features/enhancement/gate.ts'

const never = new AbortController().signal
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('lets so many in, and the others in their order', async () => {
  const gate = createGate(2)
  const order: string[] = []
  const enter = (name: string) =>
    gate.enter(never).then((leave) => {
      order.push(name)
      return leave
    })
  const [one, two, three, four] = ['one', 'two', 'three', 'four'].map(enter)
  await settled()
  expect(order).toEqual(['one', 'two'])
  ;(await two!)()
  await settled()
  expect(order).toEqual(['one', 'two', 'three'])
  ;(await three!)()
  ;(await one!)()
  await four
  expect(order).toEqual(['one', 'two', 'three', 'four'])
})

test('whoever gives up leaves the line, and nobody loses their place', async () => {
  const gate = createGate(1)
  const leave = await gate.enter(never)
  const patience = new AbortController()
  const impatient = gate.enter(patience.signal)
  const patient = gate.enter(never)
  patience.abort(new Error('enough'))
  await expect(impatient).rejects.toThrow('enough')
  leave()
  ;(await patient)()
  await gate.enter(never)
})

test('leaving twice lets one in', async () => {
  const gate = createGate(1)
  const leave = await gate.enter(never)
  const [second, third] = [gate.enter(never), gate.enter(never)]
  let isThirdIn = false
  void third.then(() => (isThirdIn = true))
  leave()
  leave()
  await second
  await settled()
  expect(isThirdIn).toBe(false)
})

test('a signal that has been given keeps one out', async () => {
  const gate = createGate(1)
  await expect(gate.enter(AbortSignal.abort(new Error('no')))).rejects.toThrow('no')
  await gate.enter(never)
})
