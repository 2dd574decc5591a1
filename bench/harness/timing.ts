/** Puts load on one contender at a time, in rounds that go through all of them. */
import autocannon from 'autocannon'
import type { TimedRequest } from './benchmark.ts'
import type { Contender, ContenderName } from './contenders.ts'

export type Round = {
  readonly requestsPerSecond: number
  readonly requestsPerCpuSecond: number
  readonly p99Ms: number
}

export type Rounds = Readonly<Record<ContenderName, readonly Round[]>>

// Time for the compiler: what a process does in its first seconds says nothing of its later ones.
const warmUpSeconds = 5
const mostWarmUpSeconds = 60

/** Each round begins with another contender, so that none is always first after a pause. */
export async function timeRounds(
  contenders: readonly Contender[],
  request: TimedRequest,
  options: {
    rounds: number
    seconds: number
    progress: (text: string) => void
    folder: string
    /** Between the warm-up and the first round. */
    onWarm: () => Promise<void>
  },
): Promise<Rounds> {
  const roundOf = async (contender: Contender, seconds: number) => {
    const long = Math.max(seconds, request.leastSeconds ?? 0)
    const round = await timeRound(contender, request, long)
    await request.tidy?.(options.folder)
    return round
  }
  for (const contender of contenders) {
    let [answers, seconds] = [0, 0]
    do {
      answers += (await roundOf(contender, warmUpSeconds)).requestsPerSecond * warmUpSeconds
      seconds += warmUpSeconds
    } while (answers < (request.warmUpAnswers ?? 0) && seconds < mostWarmUpSeconds)
  }
  await options.onWarm()
  const rounds: Record<ContenderName, Round[]> = { raw: [], ours: [], conventional: [] }
  for (let number = 0; number < options.rounds; number += 1) {
    options.progress(`${request.name}: round ${number + 1} of ${options.rounds}\n`)
    const first = number % contenders.length
    for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      rounds[contender.name].push(await roundOf(contender, options.seconds))
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
  const busy = beside && load(contender, beside, seconds)
  const result = await load(contender, request, seconds, perSecond)
  await busy
  const cpuSeconds = (await contender.cpuSeconds()) - cpuBefore
  if (result.non2xx > 0 || result.errors > 0 || result['2xx'] === 0)
    throw new Error(
      `${contender.name}, ${request.name}: ${result['2xx']} good answers, ${result.non2xx} others, ${result.errors} errors`,
    )
  return {
    requestsPerSecond: result['2xx'] / result.duration,
    requestsPerCpuSecond: result['2xx'] / cpuSeconds,
    p99Ms: result.latency.p99,
  }
}

async function load(
  { url }: Contender,
  { connections, calls }: Pick<TimedRequest, 'connections' | 'calls'>,
  seconds: number,
  perSecond?: number,
): Promise<autocannon.Result> {
  let nextFirst = 0
  return autocannon({
    url,
    connections,
    duration: seconds,
    ...(perSecond === undefined ? {} : { overallRate: perSecond }),
    setupClient(client) {
      const first = nextFirst % calls.length
      client.setRequests(copies([...calls.slice(first), ...calls.slice(0, first)]))
      nextFirst += 1
    },
  })
}

/** autocannon writes into the requests that it is given. */
function copies(calls: readonly TimedRequest['calls'][number][]): autocannon.Request[] {
  return calls.map(({ method, path, headers, body }) => ({
    method,
    path,
    headers: { ...headers },
    ...(body === undefined ? {} : { body }),
  }))
}
