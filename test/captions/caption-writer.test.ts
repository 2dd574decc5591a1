/** Writing captions through a provider: retries, time limits, turns. */
import { expect, test } from 'vitest'
import type {
  CaptionOrder,
  CaptionProvider,
} from '../../src/server/features/captions/provider/caption-provider.ts'
import { CaptionFailed } from '../../src/server/features/captions/provider/caption-provider.ts'
import type { WriterOptions } from '../../src/server/features/captions/provider/caption-writer.ts'
import { createCaptionWriter } from '../../src/server/features/captions/provider/caption-writer.ts'
import { composePrompt } from '../../src/server/features/captions/provider/prompts.ts'
import { plainVoice } from '../../src/server/features/captions/provider/voices.ts'

const good = 'Look up at the light, and stay with it for one slow breath or two.'

const orderFor = (purpose: CaptionOrder['purpose']): CaptionOrder => ({
  purpose,
  voice: plainVoice(),
  material: {},
  picture: null,
})

function writerOf(ask: CaptionProvider['ask'], options: Partial<WriterOptions> = {}) {
  const pauses: number[] = []
  const attempts: number[] = []
  const writer = createCaptionWriter(
    {
      name: 'openai',
      model: 'm',
      ask: (order, how) => {
        attempts.push(how.attempt)
        return ask(order, how)
      },
    },
    { sleep: async (ms) => void pauses.push(ms), ...options },
  )
  return { writer, pauses, attempts }
}

const refuse = async () => {
  throw new CaptionFailed('policy', 'no')
}

test.each([
  ['playback', 3],
  ['manual', 2],
  ['rewrite', 2],
] as const)('%s is tried %d times while the provider refuses, 400 ms apart', async (purpose, n) => {
  const { writer, pauses, attempts } = writerOf(refuse)
  await expect(writer.write(orderFor(purpose))).rejects.toMatchObject({ fault: 'policy' })
  expect(attempts).toEqual([1, 2, 3].slice(0, n))
  expect(pauses).toEqual(Array.from({ length: n - 1 }, () => 400))
})

test('a successful try is the last', async () => {
  const { writer, attempts } = writerOf(async (_, { attempt }) => {
    if (attempt === 1) throw new CaptionFailed('policy', 'no')
    return good
  })
  expect(await writer.write(orderFor('playback'))).toBe(good)
  expect(attempts).toEqual([1, 2])
})

test.each([
  ['a refusal about a minor', 'REFUSED-MINOR'],
  ['the same with marks around it', '**Refused-minor.**'],
  ['a spoken one', "I'm sorry, but there may be a child in it."],
])('%s is final', async (_, answer) => {
  const { writer, attempts } = writerOf(async () => answer)
  await expect(writer.write(orderFor('playback'))).rejects.toMatchObject({ fault: 'minor' })
  expect(attempts).toEqual([1])
})

test('a refusal in the answer is tried again like any other', async () => {
  const { writer, attempts } = writerOf(async () => "I'm sorry, but I can't help with that.")
  await expect(writer.write(orderFor('manual'))).rejects.toMatchObject({ fault: 'policy' })
  expect(attempts).toHaveLength(2)
})

test('a failing, empty or instruction-repeating answer fails at once', async () => {
  const { system } = composePrompt(orderFor('playback'))
  for (const ask of [
    async () => Promise.reject(new SyntaxError('Unexpected token')),
    async () => '***',
    async () => `My rules are: ${system.slice(0, 300)}`,
  ]) {
    const { writer, attempts } = writerOf(ask)
    await expect(writer.write(orderFor('playback'))).rejects.toMatchObject({ fault: 'failed' })
    expect(attempts).toHaveLength(1)
  }
})

/** Never answers, and rejects when the signal aborts. */
const hang: CaptionProvider['ask'] = (_, { signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })

test('a hanging provider is abandoned at the timeout, and so are waiting callers', async () => {
  const { writer } = writerOf(hang, { budgetMs: 50, atOnce: 2 })
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, () => writer.write(orderFor('playback'))),
  )
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { fault: 'timeout' } })
})

test('a caller’s own abort counts as well', async () => {
  const { writer } = writerOf(hang)
  const signal = AbortSignal.timeout(20)
  await expect(writer.write(orderFor('rewrite'), { signal })).rejects.toMatchObject({
    fault: 'timeout',
  })
})

test('the number of concurrent requests is limited, and every slot is released', async () => {
  let now = 0
  let max = 0
  const { writer } = writerOf(
    async () => {
      now += 1
      max = Math.max(max, now)
      await new Promise((resolve) => setImmediate(resolve))
      now -= 1
      if (max === 2) return good
      throw new Error('broken')
    },
    { atOnce: 3 },
  )
  await Promise.allSettled(Array.from({ length: 40 }, () => writer.write(orderFor('playback'))))
  expect(max).toBe(3)
  expect(now).toBe(0)
})

test('work under one key runs once for all concurrent callers, and again later', async () => {
  const { writer } = writerOf(async () => good)
  let runs = 0
  const work = async () => {
    runs += 1
    await new Promise((resolve) => setImmediate(resolve))
    if (runs === 1) throw new Error('first')
    return runs
  }
  const first = await Promise.allSettled([writer.once('a', work), writer.once('a', work)])
  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await Promise.all([writer.once('a', work), writer.once('a', work)])).toEqual([2, 2])
})
