import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { FormShare } from '../../src/server/http/form-memory.ts'
import { createFormMemory, metered } from '../../src/server/http/form-memory.ts'

/** Whether a share may read on by now. */
function take(share: FormShare, bytes: number) {
  const state = { mayReadOn: false }
  void share.take(bytes).then(() => (state.mayReadOn = true))
  return state
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('forms are read as they come while there is room', async () => {
  const memory = createFormMemory({ maxBytes: 100 })
  const [one, two] = [memory.open(), memory.open()]
  const takes = [take(one, 50), take(two, 50)]
  await settled()
  expect(takes.map(({ mayReadOn }) => mayReadOn)).toEqual([true, true])
})

test('past the limit the next one waits until a form has been answered', async () => {
  const memory = createFormMemory({ maxBytes: 100 })
  const [one, two] = [memory.open(), memory.open()]
  await one.take(90)
  one.endReading()
  const waiting = take(two, 20)
  await settled()
  expect(waiting.mayReadOn).toBe(false)
  one.release()
  await settled()
  expect(waiting.mayReadOn).toBe(true)
})

test('when all wait for each other the first one reads on, alone', async () => {
  const memory = createFormMemory({ maxBytes: 100 })
  const [one, two, three] = [memory.open(), memory.open(), memory.open()]
  await one.take(60)
  const takes = [take(two, 60), take(three, 60), take(one, 60)]
  await settled()
  expect(takes.map(({ mayReadOn }) => mayReadOn)).toEqual([false, false, true])
  one.release()
  await settled()
  expect(takes.map(({ mayReadOn }) => mayReadOn)).toEqual([true, false, true])
})

test('what was released twice is given back once', async () => {
  const memory = createFormMemory({ maxBytes: 100 })
  const [one, two, three] = [memory.open(), memory.open(), memory.open()]
  await one.take(80)
  one.release()
  one.release()
  await two.take(80)
  two.endReading()
  const waiting = take(three, 60)
  await settled()
  expect(waiting.mayReadOn).toBe(false)
})

test('whoever sends nothing for too long is given up, and waiting for room is no silence', async () => {
  const memory = createFormMemory({ maxBytes: 100 })
  const [one, two] = [memory.open(), memory.open()]
  await one.take(100)
  one.endReading()
  const never = Promise.withResolvers<void>()
  async function* sendOnce() {
    yield new Uint8Array(50)
    await never.promise
  }
  const sent = metered(sendOnce(), two, { weight: 3, silenceMs: 50 })
  const first = sent.next()
  await sleep(150)
  one.release()
  expect((await first).value).toHaveLength(50)
  await expect(sent.next()).rejects.toMatchObject({ body: { message: 'The upload has stalled' } })
})
