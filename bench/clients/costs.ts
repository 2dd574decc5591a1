/**
 * Measures the cost of one request of each kind for docs/operating/capacity.md: processor time of the node
 * and of PostgreSQL, bytes, and disk operations. Also checks that two nodes do the same work for the same
 * processor time as one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { residentMb } from '../../test/support/process-figures.ts'
import { untilQuiet } from '../../test/support/service-process.ts'
import type { ClientOptions, ClientPart } from '../harness/goals.ts'
import { median } from '../harness/median.ts'
import type { Kind } from './costs-kinds.ts'
import { kinds } from './costs-kinds.ts'
import type { Site } from './costs-site.ts'
import {
  countersOf,
  maxConcurrent,
  openSite,
  processorMsOf,
  send,
  settle,
  untilTold,
} from './costs-site.ts'

/**
 * The number of requests of each kind per turn and node. It is per node: with half as many, two nodes would
 * have less compiled code than one.
 */
const requestsOfNode = 150
/** V8 compiles the code of a request over thousands of calls, so nothing is measured before that. */
const maxWarmUpTurns = 12
const flatTurns = 2
const flatFrom = 0.97
const maxWarmUpMs = 120_000
/** For each requested round, in both variants: a turn is short, and a machine's speed varies. */
const turnsPerRound = 2
/** On a busy machine there are fewer turns, but at least one per round. */
const maxTurnsMs = 150_000
const restMs = 10_000
/** Two nodes together may need 1 / 0.9 of the processor time of one. */
const maxPerNode = 1 / 0.9

const compared = kinds.filter(({ requests }) => requests === undefined)

/** The cost of one request, including its background work. */
type Cost = { readonly [Name in keyof typeof columns]: number }

const columns = {
  nodeMs: 'node, CPU-ms',
  databaseMs: 'PostgreSQL, CPU-ms',
  bytes: 'answer before compression, bytes',
  walBytes: 'write-ahead log, bytes',
  syncs: 'fsyncs',
  reads: 'reads',
  writes: 'writes',
  fileBytes: 'into files, bytes',
}

/** One node, and two others that share a database and a folder. Only one site has load at a time. */
export const parts: readonly ClientPart[] = [measureCosts]

async function measureCosts(options: ClientOptions): Promise<void> {
  const { rounds, scale, progress, found } = options
  const sites: Site[] = []
  try {
    for (const nodes of [1, 2] as const) sites.push(await openSite(options, nodes))
    const [one, two] = sites
    if (!one || !two) throw new Error('there is no site')
    const requests = scale(requestsOfNode, 4)
    await warmUp(one, two, { requests, turns: scale(maxWarmUpTurns, 0), progress })
    const [alike, shared]: [number[], number[]] = [[], []]
    const ofOne = new Map(compared.map((kind) => [kind, [] as Processor[]]))
    const deadlineMs = performance.now() + maxTurnsMs
    for (let turn = 0; turn < 2 * rounds * scale(turnsPerRound, 1); turn += 1) {
      if (turn >= 2 * rounds && performance.now() > deadlineMs) break
      const isAlike = turn % 2 === 0
      const atOnce = isAlike ? 2 * maxConcurrent : maxConcurrent
      const seen = await compare(one, two, { requests, atOnce, beginsWithOne: turn % 4 < 2 })
      const ratios = isAlike ? alike : shared
      ratios.push(seen.node)
      for (const [kind, processor] of seen.byKind) ofOne.get(kind)?.push(processor.one)
      progress(`${atOnce} at once on two nodes: ${wordsOf(seen)}\n`)
    }
    const unit = { benchmark: 'costs', unit: 'ratio', goal: Number(maxPerNode.toFixed(3)) }
    found({ ...unit, what: 'CPU of two nodes, each as busy as one' }, alike)
    found({ ...unit, what: 'CPU of two nodes that share its load' }, shared)
    progress(await restOf(one, scale(restMs, 200)))
    const costs = new Map<Kind, Cost>()
    for (const kind of kinds)
      costs.set(kind, await costOf(kind, one, scale(kind.requests ?? requests, 2)))
    progress(tableOf(costs, ofOne))
  } finally {
    for (const site of sites) await site.close()
  }
}

/** Warms up both sites until neither gets cheaper. */
async function warmUp(
  one: Site,
  two: Site,
  {
    requests,
    turns,
    progress,
  }: { requests: number; turns: number; progress: (text: string) => void },
): Promise<void> {
  const deadlineMs = performance.now() + maxWarmUpMs
  let [lowest, flat] = [Infinity, 0]
  for (let turn = 0; turn < turns && flat < flatTurns; turn += 1) {
    const beginsWithOne = turn % 2 === 0
    const seen = await compare(one, two, { requests, atOnce: 2 * maxConcurrent, beginsWithOne })
    progress(`warming up: ${wordsOf(seen)}\n`)
    flat = seen.nodeMs > lowest * flatFrom ? flat + 1 : 0
    lowest = Math.min(lowest, seen.nodeMs)
    if (performance.now() > deadlineMs) return
  }
}

/** Measures the resources of an idle site. PostgreSQL's include all three nodes. */
async function restOf(site: Site, restMs: number): Promise<string> {
  await Promise.all(site.services.map(untilQuiet))
  const before = processorMsOf(site)
  await sleep(restMs)
  const after = processorMsOf(site)
  const perSecond = (from: number, to: number) => ((to - from) / (restMs / 1000)).toFixed(1)
  const memory = site.services.map(({ pid }) => `${Math.round(residentMb(pid))} MB`).join(', ')
  const node = perSecond(before.nodeMs, after.nodeMs)
  const ofDatabase = perSecond(before.databaseMs, after.databaseMs)
  return `at rest: ${memory}, ${node} ms a second, PostgreSQL ${ofDatabase}\n`
}

/** Measures all costs of a kind on one site. */
async function costOf(kind: Kind, site: Site, requests: number): Promise<Cost> {
  const atOnce = kind.atOnce ?? maxConcurrent
  if (kind.requests !== undefined)
    await send(kind, site, { requests: Math.ceil(requests / 4), atOnce })
  await settle(site)
  await untilTold(site)
  const [before, processorBefore] = [await countersOf(site), processorMsOf(site)]
  const bytes = await send(kind, site, { requests, atOnce })
  if (kind.leavesWork) await settle(site)
  const processor = processorMsOf(site)
  await untilTold(site)
  const after = await countersOf(site)
  const of = <Name extends string>(
    from: Record<Name, number>,
    to: Record<Name, number>,
    name: Name,
  ) => (to[name] - from[name]) / requests
  return {
    nodeMs: of(processorBefore, processor, 'nodeMs'),
    databaseMs: of(processorBefore, processor, 'databaseMs'),
    bytes: bytes / requests,
    walBytes: of(before, after, 'walBytes'),
    syncs: of(before, after, 'syncs'),
    reads: of(before, after, 'reads'),
    writes: of(before, after, 'writes'),
    fileBytes: of(before, after, 'fileBytes'),
  }
}

type Processor = { readonly nodeMs: number; readonly databaseMs: number }

/** Returns the processor time of two nodes as a fraction of one node's, per request and kind. */
async function compare(
  one: Site,
  two: Site,
  { requests, atOnce, beginsWithOne }: { requests: number; atOnce: number; beginsWithOne: boolean },
) {
  const byKind = new Map<Kind, { one: Processor; two: Processor }>()
  for (const kind of compared) {
    const askOne = () => processorOf(kind, one, { requests, atOnce: maxConcurrent })
    const askTwo = () => processorOf(kind, two, { requests, atOnce })
    const first = await (beginsWithOne ? askOne() : askTwo())
    const second = await (beginsWithOne ? askTwo() : askOne())
    byKind.set(kind, beginsWithOne ? { one: first, two: second } : { one: second, two: first })
  }
  const all = [...byKind.values()]
  const sum = (side: 'one' | 'two', name: keyof Processor) =>
    all.reduce((total, each) => total + each[side][name], 0)
  return {
    byKind,
    node: sum('two', 'nodeMs') / sum('one', 'nodeMs'),
    database: sum('two', 'databaseMs') / sum('one', 'databaseMs'),
    nodeMs: sum('one', 'nodeMs') + sum('two', 'nodeMs'),
  }
}

function wordsOf({ byKind, node, database }: Awaited<ReturnType<typeof compare>>): string {
  const kinds = [...byKind].map(([{ name }, { one, two }]) => {
    const ratio = (two.nodeMs / one.nodeMs).toFixed(2)
    return `${name}: ${one.nodeMs.toFixed(2)} ms, ${ratio}`
  })
  return `${node.toFixed(3)} of one, PostgreSQL ${database.toFixed(3)} (${kinds.join('; ')})`
}

async function processorOf(
  kind: Kind,
  site: Site,
  options: { requests: number; atOnce: number },
): Promise<Processor> {
  const requests = options.requests * site.services.length
  const { atOnce } = options
  const before = processorMsOf(site)
  await send(kind, site, { requests, atOnce })
  if (kind.leavesWork) await settle(site)
  const after = processorMsOf(site)
  return {
    nodeMs: (after.nodeMs - before.nodeMs) / requests,
    databaseMs: (after.databaseMs - before.databaseMs) / requests,
  }
}

/** Renders the costs. The processor time is the median of all turns, if there were any. */
function tableOf(
  costs: ReadonlyMap<Kind, Cost>,
  ofOne: ReadonlyMap<Kind, readonly Processor[]>,
): string {
  const names = Object.keys(columns) as (keyof Cost)[]
  const lines = [...costs].map(([kind, cost]) => {
    const turns = ofOne.get(kind) ?? []
    const figures = names.map((name) => {
      const isProcessor = name === 'nodeMs' || name === 'databaseMs'
      const figure =
        isProcessor && turns.length > 0 ? median(turns.map((turn) => turn[name])) : cost[name]
      return figure >= 100 ? Math.round(figure).toLocaleString('en') : figure.toFixed(2)
    })
    return `| ${[kind.name, ...figures].join(' | ')} |\n`
  })
  const head = `| ${['request', ...Object.values(columns)].join(' | ')} |\n`
  return `\n${head}|${'---|'.repeat(names.length + 1)}\n${lines.join('')}\n`
}
