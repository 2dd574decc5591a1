/**
 * An estimate of the server's clock, independent of this device's clock. A fast round trip is more accurate
 * than a slow one, so only the fastest samples count. The estimate changes gradually while a show plays, so
 * that no slide is cut short.
 */

type Sample = { readonly offsetMs: number; readonly tripMs: number; readonly atMs: number }

export type ServerClock = {
  readonly nowMs: () => number
  /**
   * Takes some samples and resolves to true when the server answered. Without an answer the estimate stays.
   */
  sync(): Promise<boolean>
}

const samplesAtOnce = 5
/** Only this number of the fastest samples counts: half of one run. */
const believed = Math.ceil(samplesAtOnce / 2)
/** Clocks drift by less than a millisecond in this time. */
const rememberedMs = 120_000
const maxSamples = 50
const slewPerMs = 0.02
/** Above this difference the clock is set at once: the estimate was wrong. */
const jumpMs = 250

export function createServerClock(
  ask: () => Promise<number>,
  localMs: () => number = () => performance.now(),
): ServerClock {
  let samples: Sample[] = []
  let target = 0
  let offset = 0
  let movedAtMs = localMs()
  let isSet = false
  let underWay: Promise<boolean> | null = null

  function move(): void {
    const nowMs = localMs()
    const max = (nowMs - movedAtMs) * slewPerMs
    offset += Math.max(-max, Math.min(max, target - offset))
    movedAtMs = nowMs
  }

  async function sample(): Promise<void> {
    const sentMs = localMs()
    const serverMs = await ask()
    const cameMs = localMs()
    const offsetMs = serverMs - (sentMs + cameMs) / 2
    samples.push({ offsetMs, tripMs: cameMs - sentMs, atMs: cameMs })
  }

  return {
    nowMs() {
      move()
      return movedAtMs + offset
    },
    sync() {
      underWay ??= askAround().finally(() => (underWay = null))
      return underWay
    },
  }

  async function askAround(): Promise<boolean> {
    let answers = 0
    try {
      for (; answers < samplesAtOnce; answers += 1) await sample()
    } catch {
      // After a failure, do not ask again at once.
    }
    if (answers > 0) believe()
    return answers > 0
  }

  function believe(): void {
    const sinceMs = localMs() - rememberedMs
    samples = samples.filter(({ atMs }) => atMs > sinceMs).slice(-maxSamples)
    const fastest = samples.toSorted((one, other) => one.tripMs - other.tripMs)
    move()
    target = weightedOffset(fastest.slice(0, believed))
    if (!isSet || Math.abs(target - offset) > jumpMs) offset = target
    isSet = true
  }
}

/** Returns the weighted mean. The error of a sample is at most half of its round trip. */
function weightedOffset(samples: readonly Sample[]): number {
  const weights = samples.map(({ tripMs }) => 1 / (tripMs + 2) ** 2)
  const sum = weights.reduce((all, weight) => all + weight, 0)
  return samples.reduce((mean, { offsetMs }, at) => mean + (offsetMs * (weights[at] ?? 0)) / sum, 0)
}
