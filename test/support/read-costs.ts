/**
 * Compares the cost of frequent reads on two seeded sites. It measures processor time, because clock time
 * depends on the load of the machine; the blocks that PostgreSQL reads, which are the same each time; and the
 * length of the responses, since a fuller page is not a slower one.
 */
import { Client } from 'pg'
import { cpuNs } from './process-figures.ts'
import type { SiteSize } from './size-rows.ts'
import type { Visit } from './size-visits.ts'
import { openSeededSite } from './size-visits.ts'

export type SeededSite = { readonly url: string; readonly size: SiteSize }

/** The cost of one call. The service's part includes the caller, since both run in this process. */
type Cost = { readonly serviceMs: number; readonly databaseMs: number; readonly bytes: number }

export type ReadCosts = {
  readonly name: string
  readonly small: Cost
  readonly large: Cost
  /** The ratio of the total times, with the smaller time of the service for both. */
  readonly ratio: number
  /**
   * False if the lengths of the responses differ so much that the ratio says nothing about the size of the
   * site.
   */
  readonly isAlike: boolean
}

type OpenSite = SeededSite & Awaited<ReturnType<typeof openSeededSite>>

const people = 40
const warmUpRounds = 1
const maxAlikeRatio = 1.25
const bytesForFree = 100

/** Compares the reads. The sites take turns, so that a busy machine affects both equally. */
export async function* compareReads(
  sites: readonly [small: SeededSite, large: SeededSite],
  { rounds }: { rounds: number },
): AsyncGenerator<ReadCosts> {
  const [small, large] = await Promise.all([openSite(sites[0]), openSite(sites[1])])
  try {
    const reads = [small, large].map((site) => readsOf(site))
    for (const { visits } of reads.flat()) for (const [, visit] of visits) await visit()
    for (const [which, { name }] of (reads[0] ?? []).entries()) {
      const costs: [Cost[], Cost[]] = [[], []]
      for (let round = 0; round < rounds + warmUpRounds; round += 1)
        for (const at of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
          const visits = reads[at]?.[which]?.visits ?? []
          const cost = await costOf(at === 0 ? small : large, visits)
          if (round >= warmUpRounds) costs[at].push(cost)
        }
      yield compared(name, minCost(costs[0]), minCost(costs[1]))
    }
  } finally {
    await Promise.all([small.close(), large.close()])
  }
}

/** Returns people for the same read, of whom the same share is adult on a site of any size. */
export function peopleOf({ users }: SiteSize): number[] {
  const step = Math.max(1, Math.floor(users / people / 10) * 10 + 1)
  return Array.from({ length: people }, (_, number) => ((number * step) % users) + 1)
}

/** Returns the name without the parts that differ between people. */
export function nameOfRead(name: string): string {
  return name.replace(/[\da-f-]{30,}|\bframe\d+|(?<=\/rooms\/)\w+|(?<=\/sessions\/)\d+/, '…')
}

async function openSite(site: SeededSite): Promise<OpenSite> {
  return { ...site, ...(await openSeededSite(site.url, site.size)) }
}

function readsOf({ visitsOf, size }: OpenSite): { name: string; visits: Visit[] }[] {
  const each = peopleOf(size).map((person) => visitsOf(person).reads)
  return (each[0] ?? []).map(([name], which) => ({
    name: nameOfRead(name),
    visits: each.flatMap((reads) => reads.slice(which, which + 1)),
  }))
}

async function costOf(site: OpenSite, visits: readonly Visit[]): Promise<Cost> {
  const backends = await backendsOf(site.url)
  const databaseBeforeNs = cpuOfAll(backends)
  const before = process.cpuUsage()
  let characters = 0
  for (const [, visit] of visits) characters += String(await visit()).length
  const { user, system } = process.cpuUsage(before)
  const databaseNs = cpuOfAll(backends) - databaseBeforeNs
  return {
    serviceMs: (user + system) / 1e3 / visits.length,
    databaseMs: databaseNs / 1e6 / visits.length,
    bytes: Math.round(characters / visits.length),
  }
}

async function backendsOf(url: string): Promise<number[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    )
    return rows.map(({ pid }) => pid)
  } finally {
    await client.end()
  }
}

function cpuOfAll(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuNs(pid), 0)
}

function compared(name: string, small: Cost, large: Cost): ReadCosts {
  const lengths = [small.bytes, large.bytes].toSorted((one, other) => one - other)
  // The same response takes the same work: any difference is noise of the machine.
  const serviceMs = Math.min(small.serviceMs, large.serviceMs)
  return {
    name,
    small,
    large,
    ratio: (serviceMs + large.databaseMs) / (serviceMs + small.databaseMs),
    isAlike: (lengths[1] ?? 0) <= maxAlikeRatio * (lengths[0] ?? 0) + bytesForFree,
  }
}

/** Returns the minimum: noise of the machine can only increase it. */
function minCost(costs: readonly Cost[]): Cost {
  return {
    serviceMs: Math.min(...costs.map(({ serviceMs }) => serviceMs)),
    databaseMs: Math.min(...costs.map(({ databaseMs }) => databaseMs)),
    bytes: costs[0]?.bytes ?? 0,
  }
}
