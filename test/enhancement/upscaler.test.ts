import { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { ProviderUnavailable } from '../../src/server/features/enhancement/enhancer.ts'
import type { Upscaler } from '../../src/server/features/enhancement/providers/upscaler.ts'
import { createUpscaler } from '../../src/server/features/enhancement/providers/upscaler.ts'

const opened: Upscaler[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((upscaler) => upscaler.close()))
})

function open(fault: string): Upscaler {
  const upscaler = createUpscaler(
    () =>
      new Worker(new URL('../support/upscale-stand-in.ts', import.meta.url), {
        workerData: { fault },
      }),
  )
  opened.push(upscaler)
  return upscaler
}

const order = (side: number) => ({
  picture: { data: new Uint8Array(side * side * 3), width: side, height: side, channels: 3 },
  enlargedAlpha: null,
})

const run = (
  upscaler: Upscaler,
  side = 10,
  { budgetMs = 50_000, signal = AbortSignal.timeout(50_000) } = {},
) => upscaler.upscale(order(side), { signal, endsAtMs: performance.now() + budgetMs })

test.each(['exits', 'throws', 'fails'])(
  'a thread that %s fails its run, and counts as unavailable for a while',
  async (fault) => {
    const upscaler = open(fault)
    expect(upscaler.isAvailable()).toBe(true)
    await expect(run(upscaler)).rejects.toThrow()
    expect(upscaler.isAvailable()).toBe(false)
    // The next run uses another thread, not the dead one.
    await expect(run(upscaler)).rejects.toThrow()
  },
)

test('a thread that never answers is ended by the signal', async () => {
  const upscaler = open('is silent')
  const ending = new AbortController()
  const running = run(upscaler, 10, { signal: ending.signal })
  ending.abort(new Error('the time ran out'))
  await expect(running).rejects.toThrow('the time ran out')
  // The timeout says nothing about the next picture.
  expect(upscaler.isAvailable()).toBe(true)
})

test('a run that turns out too slow is aborted, and so is the next one before it starts', async () => {
  const upscaler = open('is slow')
  await expect(run(upscaler, 1000)).rejects.toBeInstanceOf(ProviderUnavailable)
  await expect(run(upscaler, 1000, { budgetMs: 1000 })).rejects.toBeInstanceOf(ProviderUnavailable)
})

test('one thread runs one picture after another', async () => {
  const upscaler = open('')
  for (let count = 0; count < 15; count++)
    expect(await run(upscaler)).toMatchObject({ width: 10, height: 10 })
})
