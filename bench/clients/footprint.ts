/**
 * Measures an idle node: its memory a minute after the start and the peak until then, on a server and on
 * the embedded database; and the processor time of a first start with the demo until it is idle.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildEmbeddedIfStale } from '../../scripts/build-embedded.ts'
import { cpuOfTreeMs, peakMb, residentMb } from '../../test/support/process-figures.ts'
import type { ServiceProcess } from '../../test/support/service-process.ts'
import { startService } from '../../test/support/service-process.ts'
import type { ClientOptions, ClientPart } from '../harness/goals.ts'

const benchmark = 'footprint'
const idleMs = 60_000
const lookMs = 5000
/** The maximum share of a processor for an idle node, which polls its queue. */
const maxCpuOfRest = 0.1
const looksAtRest = 3
const restTimeoutMs = 600_000

export const parts: readonly ClientPart[] = [measureEmbedded, measureOnServer]

async function measureEmbedded({ scale, progress, found }: ClientOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lanternist-footprint-'))
  const start = async () => {
    const startedMs = performance.now()
    const service = await startService({ FEED: scale('demo', 'off') }, { folder })
    return { service, readyS: (performance.now() - startedMs) / 1000 }
  }
  try {
    // The template is built first, like after `npm run build`.
    await buildEmbeddedIfStale({ print: progress })
    progress('footprint: a first start with the demo, until it rests\n')
    const first = await start()
    const firstCpuS = await cpuUntilRestS(first.service, scale(lookMs, 500))
    const firstPeakMb = peakMb(first.service.pid)
    await first.service.stop()
    found({ benchmark, what: 'first start, until it rests', unit: 'CPU s', goal: 20 }, [firstCpuS])
    progress('footprint: a second start, and a minute of rest\n')
    const second = await start()
    found({ benchmark, what: 'second start, until ready', unit: 's', goal: 3 }, [second.readyS])
    await sleep(scale(idleMs, 0))
    const idleMb = residentMb(second.service.pid)
    const secondPeakMb = peakMb(second.service.pid)
    await second.service.stop()
    found({ benchmark, what: 'idle, embedded database', unit: 'MB', goal: 350 }, [idleMb])
    found({ benchmark, what: 'peak, embedded database', unit: 'MB', goal: 450 }, [
      firstPeakMb,
      secondPeakMb,
    ])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the processor time of the process and its children, including those that have ended. */
async function cpuUntilRestS({ pid }: ServiceProcess, lookMs: number): Promise<number> {
  const deadlineMs = performance.now() + restTimeoutMs
  let usedMs = cpuOfTreeMs(pid)
  for (let resting = 0; resting < looksAtRest && performance.now() < deadlineMs;) {
    await sleep(lookMs)
    const nowMs = cpuOfTreeMs(pid)
    resting = nowMs - usedMs < maxCpuOfRest * lookMs ? resting + 1 : 0
    usedMs = nowMs
  }
  return usedMs / 1000
}

/** Measures starts on a server. The first start finds no compiled code, and loads the compiler. */
async function measureOnServer(options: ClientOptions): Promise<void> {
  const { rounds, scale, databases, progress, found } = options
  const compiled = await mkdtemp(join(tmpdir(), 'lanternist-compiled-'))
  try {
    const databaseUrl = await databases.create('footprint', scale('empty', 'migrated'))
    const figures: number[] = []
    const peaks: number[] = []
    for (let round = 0; round <= rounds; round += 1) {
      progress('footprint: a minute of rest on a server\n')
      const service = await startService({
        NODE_ENV: 'production',
        BASE_URL: 'http://127.0.0.1',
        SESSION_SECRET: 'a secret that is long enough for production',
        DATABASE_URL: databaseUrl,
        NODE_COMPILE_CACHE: compiled,
      })
      await sleep(scale(idleMs, 0))
      figures.push(residentMb(service.pid))
      peaks.push(peakMb(service.pid))
      await service.stop()
    }
    const goal = { benchmark, unit: 'MB', goal: 160 }
    found({ ...goal, what: 'idle, on a server, first start' }, figures.slice(0, 1))
    found({ ...goal, what: 'idle, on a server' }, figures.slice(1))
    found({ ...goal, what: 'peak, on a server', goal: 250 }, peaks)
  } finally {
    await rm(compiled, { recursive: true, force: true })
  }
}
