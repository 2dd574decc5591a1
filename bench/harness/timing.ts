/** Puts load on one contender at a time, in rounds over all of them. */
import type { TimedRequest } from './benchmark.ts'
import type { Contender, ContenderName } from './contenders.ts'
import { allOf, putLoad } from './load.ts'

export type Round = {
  readonly requestsPerSecond: number
  readonly requestsPerCpuSecond: number
  readonly p99Ms: number
}

/** The rounds, without contenders that were left out. */
export type Rounds = Readonly<Partial<Record<ContenderName, readonly Round[]>>>

// Time for the compiler: the first seconds of a process are not typical of later ones.
const warmUpSeconds = 5
const maxWarmUpSeconds = 60

/** Times the rounds. Each starts with another contender, so that none is always the first after a pause. */
export async function timeRounds(
  contenders: readonly Contender[],
  request: TimedRequest,
  options: {
    rounds: number
    seconds: number
    isWarmedUp: boolean
    progress: (text: string) => void
    folder: string
    /** Runs between the warm-up and the first round. */
    onWarm: () => Promise<void>
  },
): Promise<Rounds> {
  const roundOf = async (contender: Contender, seconds: number) => {
    const round = await timeRound(contender, request, seconds)
    await request.tidy?.(options.folder)
    return round
  }
  if (options.isWarmedUp) {
    for (const contender of contenders) {
      const seconds = Math.max(warmUpSeconds, request.minSeconds ?? 0)
      let answers = 0
      let passed = 0
      do {
        answers += (await roundOf(contender, seconds)).requestsPerSecond * seconds
        passed += seconds
      } while (answers < (request.warmUpAnswers ?? 0) && passed < maxWarmUpSeconds)
    }
    await options.onWarm()
  }
  const rounds: Partial<Record<ContenderName, Round[]>> = {}
  for (let number = 0; number < options.rounds; number += 1) {
    options.progress(`${request.name}: round ${number + 1} of ${options.rounds}\n`)
    const first = number % contenders.length
    for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      const inTurn = (rounds[contender.name] ??= [])
      inTurn.push(await roundOf(contender, options.seconds))
    }
  }
  return rounds
}

async function timeRound(
  contender: Contender,
  request: TimedRequest,
  seconds: number,
): Promise<Round> {
  const { beside, perSecond } = request
  const cpuBefore = await contender.cpuSeconds()
  try {
    const [result] = await allOf([
      putLoad(contender.url, request, { seconds, perSecond }),
      ...(beside ? [putLoad(contender.url, beside, { seconds, perSecond: undefined })] : []),
    ])
    if (!result) throw new Error('there was no load')
    const cpuSeconds = (await contender.cpuSeconds()) - cpuBefore
    return {
      requestsPerSecond: result.answers / result.seconds,
      requestsPerCpuSecond: result.answers / cpuSeconds,
      p99Ms: result.p99Ms,
    }
  } catch (error) {
    throw new Error(`${contender.name} failed under load: ${String(error)}`, { cause: error })
  }
}
