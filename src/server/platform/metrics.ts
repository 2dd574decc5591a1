/** Metrics of a node in the Prometheus text format. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

const readPlaces = ['replica', 'server', 'server_after_replica'] as const

export function createMetrics({ hasReplica = false } = {}) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'lanternist_request_seconds',
    help: 'Time to answer, by endpoint and status.',
    labelNames: ['endpoint', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const jobs = new Counter({
    name: 'lanternist_jobs_total',
    help: 'Job runs, by job and outcome.',
    labelNames: ['job', 'outcome'],
    registers: [registry],
  })
  const sources = new Counter({
    name: 'lanternist_source_lists_total',
    help: 'Questions to the sources of feeds, by source and outcome.',
    labelNames: ['source', 'outcome'],
    registers: [registry],
  })
  const sourceAges = new Gauge({
    name: 'lanternist_source_success_age_seconds',
    help: 'For how long a source has given nothing, by source, to a minute; left out before its first.',
    labelNames: ['source'],
    registers: [registry],
  })
  const restingHosts = new Gauge({
    name: 'lanternist_resting_hosts',
    help: 'Far hosts that no node asks before a moment that they have named.',
    registers: [registry],
  })
  const publicReads = new Counter({
    name: 'lanternist_public_reads_total',
    help: 'Reads that a replica may answer, by the place that answered; counted where there is one.',
    labelNames: ['place'],
    registers: [registry],
  })
  // Start at zero: an alert cannot compute the rate of a counter that does not exist yet.
  if (hasReplica) for (const place of readPlaces) publicReads.inc({ place }, 0)
  const waiting = new Gauge({
    name: 'lanternist_jobs_waiting',
    help: 'Jobs whose time has come and that no worker has taken yet, by queue.',
    labelNames: ['queue'],
    registers: [registry],
  })
  const oldest = new Gauge({
    name: 'lanternist_oldest_job_seconds',
    help: 'For how long the oldest of them has waited, by queue.',
    labelNames: ['queue'],
    registers: [registry],
  })
  return {
    requestDone: (endpoint: string, status: number, seconds: number) =>
      requests.observe({ endpoint, status: String(status) }, seconds),
    jobDone: (job: string, outcome: 'completed' | 'failed') => jobs.inc({ job, outcome }),
    /** Counts a request to a source. `outcome` is 'given', or the reason for the failure. */
    sourceAsked: (source: string, outcome: string) => sources.inc({ source, outcome }),
    /** Sets the values of all nodes together, or null if they are unknown. */
    sourcesSeen(
      seen: {
        readonly ages: readonly { source: string; seconds: number }[]
        readonly restingHosts: number
      } | null,
    ) {
      sourceAges.reset()
      restingHosts.reset()
      for (const { source, seconds } of seen?.ages ?? []) sourceAges.set({ source }, seconds)
      if (seen) restingHosts.set(seen.restingHosts)
    },
    publicRead: (place: (typeof readPlaces)[number]) => publicReads.inc({ place }),
    /** Sets the values of all nodes together. An empty list means that they are unknown. */
    jobsWaiting(queues: readonly { queue: string; jobs: number; oldestSeconds: number }[]) {
      waiting.reset()
      oldest.reset()
      for (const { queue, jobs, oldestSeconds } of queues) {
        waiting.set({ queue }, jobs)
        oldest.set({ queue }, oldestSeconds)
      }
    },
    read: () => registry.metrics(),
  }
}
