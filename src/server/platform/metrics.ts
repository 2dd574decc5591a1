/** Metrics of a node in the Prometheus text format. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

const answeredBy = ['replica', 'server', 'server_after_replica'] as const

export function createMetrics({ hasReplica = false } = {}) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'lanternist_request_seconds',
    help: 'Response time in seconds, by endpoint and status.',
    labelNames: ['endpoint', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const jobs = new Counter({
    name: 'lanternist_jobs_total',
    help: 'Runs of jobs on this node, by job and outcome.',
    labelNames: ['job', 'outcome'],
    registers: [registry],
  })
  const sources = new Counter({
    name: 'lanternist_source_lists_total',
    help: 'Requests to the sources of feeds, by source and outcome.',
    labelNames: ['source', 'outcome'],
    registers: [registry],
  })
  const sourceAges = new Gauge({
    name: 'lanternist_source_success_age_seconds',
    help: 'Seconds since the last successful request to the source, to the minute. Missing before the first success.',
    labelNames: ['source'],
    registers: [registry],
  })
  const restingHosts = new Gauge({
    name: 'lanternist_resting_hosts',
    help: 'Remote hosts that are paused, because they asked for a pause or do not respond.',
    registers: [registry],
  })
  const publicReads = new Counter({
    name: 'lanternist_public_reads_total',
    help: 'Public reads, by the database that answered them. Only counted with a replica.',
    labelNames: ['place'],
    registers: [registry],
  })
  // Start at zero: an alert cannot compute the rate of a counter that does not exist yet.
  if (hasReplica) for (const place of answeredBy) publicReads.inc({ place }, 0)
  const waiting = new Gauge({
    name: 'lanternist_jobs_waiting',
    help: 'Jobs that are due and that no worker has taken yet, by queue.',
    labelNames: ['queue'],
    registers: [registry],
  })
  const oldest = new Gauge({
    name: 'lanternist_oldest_job_seconds',
    help: 'Seconds that the oldest waiting job has waited, by queue.',
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
    publicRead: (place: (typeof answeredBy)[number]) => publicReads.inc({ place }),
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
