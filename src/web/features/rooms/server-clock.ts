/**
 * The server's clock, told from this machine's, which may be wrong by any time. A question that came
 * back fast says more than one that was under way for long, so only the fastest are believed; while
 * a show plays, the clock is moved gently, so that no slide is cut short by a better guess.
 */

type Sample = { readonly offsetMs: number; readonly tripMs: number; readonly atMs: number }

export type ServerClock = {
  readonly nowMs: () => number
  /** Asks a few times, and gives whether the server answered. Without an answer it goes on as it was. */
  sync(): Promise<boolean>
}

const samplesAtOnce = 5
/** Of the fastest samples, the fastest half is believed. */
const believed = Math.ceil(samplesAtOnce / 2)
/** Machines' clocks drift by less than a millisecond in that time. */
const rememberedMs = 120_000
const mostSamples = 50
const slewPerMs = 0.02
/** Past this the clock is set at once: it was never right. */
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
    const most = (nowMs - movedAtMs) * slewPerMs
    offset += Math.max(-most, Math.min(most, target - offset))
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
      // Who does not answer once is not asked again at once.
    }
    if (answers > 0) believe()
    return answers > 0
  }

  function believe(): void {
    const sinceMs = localMs() - rememberedMs
    samples = samples.filter(({ atMs }) => atMs > sinceMs).slice(-mostSamples)
    const fastest = samples.toSorted((one, other) => one.tripMs - other.tripMs)
    move()
    target = weightedOffset(fastest.slice(0, believed))
    if (!isSet || Math.abs(target - offset) > jumpMs) offset = target
    isSet = true
  }
}

/** How far one can be wrong is half of its trip. */
function weightedOffset(samples: readonly Sample[]): number {
  const weights = samples.map(({ tripMs }) => 1 / (tripMs + 2) ** 2)
  const sum = weights.reduce((all, weight) => all + weight, 0)
  return samples.reduce((mean, { offsetMs }, at) => mean + (offsetMs * (weights[at] ?? 0)) / sum, 0)
}
