/**
 * Remote sites with answers that are hard to parse: they cost this service their download and little
 * more.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { newServerHome } from '../support/fault-engine.ts'
import type { FaultRow, FaultTools, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'
import { hardFeeds } from '../support/hard-feeds.ts'
import { cpuMs, forgetPeak, peakMb } from '../support/process-figures.ts'
import { devCookie, startService } from '../support/service-process.ts'

const maxCpuMs = 700
const maxGrowthMb = 200

/** Callers can have any address read as a feed. The other kinds of answers are read in the same process. */
const fetched = Object.entries(hardFeeds)

export const row: FaultRow = {
  budgetSeconds: 400,
  runs: 'in the table',
  shortTests: ['test/feeds/answer-reading.test.ts', 'test/api/sources.test.ts'],
  mutant: {
    file: 'src/server/features/feeds/adapters/rss.ts',
    line: "await readAnswer('feed', answer, fetchAllow)",
    becomes:
      "(await import('./rss-posts.ts')).readFeedPosts(answer.bytes.toString(), answer.url, fetchAllow)",
  },
  checks: [
    {
      load: `${fetched.length} answers of up to 8 MB that are made to be hard to read`,
      goal: `each takes at most ${maxCpuMs} ms of the service’s own process, which grows by at most ${maxGrowthMb} MB`,
      run: fetchAll,
    },
  ],
}

async function fetchAll({ say, afterwards }: FaultTools): Promise<Verdict> {
  const site = createServer((request, response) => {
    const index = Number((request.url ?? '/').slice(1))
    response.end(fetched[index]?.[1]().text)
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  afterwards(async () => site.close())
  const host = `127.0.0.1:${(site.address() as AddressInfo).port}`
  const home = await newServerHome({ afterwards })
  const service = await startService(
    { ...home.settings, FEEDS: 'rss', FEED: 'rss', CAPTIONS: 'off', FETCH_ALLOW: host },
    { ...home, words: ['--role', 'web'] },
  )
  const cookie = await devCookie(service, 1)
  const figures: { name: string; ms: number; grownMb: number; status: number }[] = []
  for (const [index, [name]] of fetched.entries()) {
    forgetPeak(service.pid)
    const before = { ms: cpuMs(service.pid), mb: peakMb(service.pid) }
    const response = await fetch(`${service.url}/api/fetch-feed`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ subfeeds: `rss:http://${host}/${index}`, limit: 100 }),
    })
    await response.arrayBuffer()
    const figure = {
      name,
      ms: cpuMs(service.pid) - before.ms,
      grownMb: Math.round(peakMb(service.pid) - before.mb),
      status: response.status,
    }
    say(`${name}: ${figure.ms} ms, +${figure.grownMb} MB, status ${figure.status}`)
    figures.push(figure)
  }
  const max = (of: 'ms' | 'grownMb') => Math.max(...figures.map((figure) => figure[of]))
  return verdict(`at most ${max('ms')} ms and +${max('grownMb')} MB for one answer`, {
    'an answer kept the service from its requests': max('ms') <= maxCpuMs,
    'an answer took too much memory': max('grownMb') <= maxGrowthMb,
    'the service ended': service.isRunning,
  })
}
