/** Medians of the rounds of a request, as numbers and as a table, with ours compared to the others. */
import type { ContenderName } from './contenders.ts'
import { contenderNames } from './contenders.ts'
import type { Round, Rounds } from './timing.ts'

export type Finding = {
  readonly benchmark: string
  readonly request: string
  readonly connections: number
  readonly rounds: number
  readonly secondsPerRound: number
  /** The medians, without contenders that were left out. */
  readonly medians: Readonly<Partial<Record<ContenderName, Round>>>
  /** Ours divided by the other contender. */
  readonly ratios: Readonly<Partial<Record<ContenderName, Ratios>>>
}

type Ratios = { readonly requestsPerSecond: Ratio; readonly requestsPerCpuSecond: Ratio }

/** The ratio of the medians, with the lowest and the highest ratio within one round. */
type Ratio = { readonly ofMedians: number; readonly lowest: number; readonly highest: number }

export function findingOf(
  what: Pick<Finding, 'benchmark' | 'request' | 'connections' | 'secondsPerRound'>,
  rounds: Rounds,
): Finding {
  const ours = rounds.ours ?? []
  const medians: Partial<Record<ContenderName, Round>> = {}
  const ratios: Partial<Record<ContenderName, Ratios>> = {}
  for (const name of contenderNames) {
    const timed = rounds[name]
    if (!timed) continue
    medians[name] = medianRound(timed)
    if (name !== 'ours') ratios[name] = roundRatiosOf(ours, timed)
  }
  return { ...what, rounds: ours.length, medians, ratios }
}

/** Returns the ratios to raw by name. Contenders that were left out have none. */
export function ratiosToRaw(findings: readonly Finding[]): Record<string, number> {
  return Object.fromEntries(
    findings.flatMap(({ benchmark, request, ratios: { raw } }) => {
      if (!raw) return []
      const name = `${benchmark}: ${request}`
      return [
        [`${name}, by requests`, rounded(raw.requestsPerSecond.ofMedians)],
        [`${name}, by CPU`, rounded(raw.requestsPerCpuSecond.ofMedians)],
      ]
    }),
  )
}

export function tableOf(finding: Finding): string {
  const { benchmark, request, connections, rounds, secondsPerRound, medians, ratios } = finding
  const timed = contenderNames.flatMap((name) => {
    const median = medians[name]
    if (!median) return []
    const { requestsPerSecond, requestsPerCpuSecond, p99Ms } = median
    return [[name, whole(requestsPerSecond), whole(requestsPerCpuSecond), whole(p99Ms)]]
  })
  const compared = contenderNames.flatMap((name) => {
    const ratio = ratios[name]
    if (!ratio) return []
    const { requestsPerSecond, requestsPerCpuSecond } = ratio
    return [[`ours / ${name}`, ratioText(requestsPerSecond), ratioText(requestsPerCpuSecond), '']]
  })
  const heading = `${benchmark}: ${request}, ${connections} connections, median of ${rounds} rounds of ${secondsPerRound} s`
  const columns = ['', 'requests/s', 'requests/CPU-second', 'p99 ms']
  const lines = [columns, ...timed, ...compared].map(line)
  return `${heading}\n\n${lines.join('\n')}\n`
}

function roundRatiosOf(ours: readonly Round[], others: readonly Round[]): Ratios {
  const ratio = (figure: keyof Round): Ratio => {
    const inRounds = ours.map((round, number) => round[figure] / (others[number]?.[figure] ?? NaN))
    return {
      ofMedians: medianOf(ours, figure) / medianOf(others, figure),
      lowest: Math.min(...inRounds),
      highest: Math.max(...inRounds),
    }
  }
  return {
    requestsPerSecond: ratio('requestsPerSecond'),
    requestsPerCpuSecond: ratio('requestsPerCpuSecond'),
  }
}

function medianRound(rounds: readonly Round[]): Round {
  return {
    requestsPerSecond: medianOf(rounds, 'requestsPerSecond'),
    requestsPerCpuSecond: medianOf(rounds, 'requestsPerCpuSecond'),
    p99Ms: medianOf(rounds, 'p99Ms'),
  }
}

function medianOf(rounds: readonly Round[], figure: keyof Round): number {
  const sorted = rounds.map((round) => round[figure]).toSorted((one, other) => one - other)
  const below = sorted[Math.floor((sorted.length - 1) / 2)] ?? NaN
  const above = sorted[Math.ceil((sorted.length - 1) / 2)] ?? NaN
  return (below + above) / 2
}

function line([name = '', ...figures]: readonly string[]): string {
  return `  ${name.padEnd(20)}${figures.map((figure) => figure.padStart(22)).join('')}`.trimEnd()
}

const whole = (figure: number) => Math.round(figure).toLocaleString('en-GB')

function ratioText({ ofMedians, lowest, highest }: Ratio): string {
  return `${ofMedians.toFixed(2)} (${lowest.toFixed(2)}-${highest.toFixed(2)})`
}

function rounded(ratio: number): number {
  return Math.round(ratio * 100) / 100
}
