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

/** Each round begins with another contender, so that none is always first after a pause. */
export async function timeRounds(
  contenders: readonly Contender[],
  request: TimedRequest,
  options: { rounds: number; seconds: number; progress: (text: string) => void },
): Promise<Rounds> {
  for (const contender of contenders) await timeRound(contender, request, warmUpSeconds)
  const rounds: Record<ContenderName, Round[]> = { raw: [], ours: [], conventional: [] }
  for (let number = 0; number < options.rounds; number += 1) {
    options.progress(`${request.name}: round ${number + 1} of ${options.rounds}\n`)
    const first = number % contenders.length
    for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      rounds[contender.name].push(await timeRound(contender, request, options.seconds))
    }
  }
  return rounds
}

async function timeRound(
  contender: Contender,
  request: TimedRequest,
  seconds: number,
): Promise<Round> {
  let nextFirst = 0
  const cpuBefore = await contender.cpuSeconds()
  const result = await autocannon({
    url: contender.url,
    connections: request.connections,
    duration: seconds,
    setupClient(client) {
      const first = nextFirst % request.calls.length
      client.setRequests(copies([...request.calls.slice(first), ...request.calls.slice(0, first)]))
      nextFirst += 1
    },
  })
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

/** autocannon writes into the requests that it is given. */
function copies(calls: readonly TimedRequest['calls'][number][]): autocannon.Request[] {
  return calls.map(({ method, path, headers, body }) => ({
    method,
    path,
    headers: { ...headers },
    ...(body === undefined ? {} : { body }),
  }))
}
