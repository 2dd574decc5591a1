/** Measurements of a page in a browser: its frames and the time of its main thread. */
import type { Page } from 'playwright-core'

/** The signed-in user for benchmarks that fake the API. */
export const user = {
  id: 'user-1',
  email: 'ana@example.test',
  firstName: 'Ana',
  lastName: null,
  profileImageUrl: null,
  role: 'user',
  isActive: true,
  ageVerified: false,
  onboardingCompleted: true,
  interests: {},
  credits: { balance: 50, tier: 'free', isLowBalance: false, nextAllocationDate: null },
}

/** Records frame times in ms from now on, in `window.frames`. */
export async function countFrames(page: Page): Promise<void> {
  await page.evaluate(() => {
    const frames: number[] = []
    Object.assign(window, { frames })
    let lastMs = performance.now()
    const onFrame = (nowMs: number) => {
      frames.push(nowMs - lastMs)
      lastMs = nowMs
      requestAnimationFrame(onFrame)
    }
    requestAnimationFrame(onFrame)
  })
}

/** Returns the time of the main thread by its own clock, which stops while others use the processor. */
export async function mainThreadMs(page: Page, work: () => Promise<void>): Promise<number> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const taskMs = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0)
  }
  const before = await taskMs()
  await work()
  return (await taskMs()) - before
}

export function report(name: string, times: readonly number[]): void {
  const sorted = times.toSorted((one, other) => one - other)
  const share = (part: number) => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(1)
  print(
    `${name}: ${share(0.5)} ms in the middle, ${share(0.95)} ms at 95 %, ` +
      `${(sorted.at(-1) ?? 0).toFixed(1)} ms at most, of ${times.length}`,
  )
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
