/**
 * Runs `npm run cluster [-- --port 8080] [--feed demo] [--pooler]`: a site of several servers on this
 * machine. It has PostgreSQL with a streaming replica, Redis, an S3 server, and two nodes behind haproxy
 * with the shipped configuration. With --pooler the nodes reach PostgreSQL through PgBouncer. It needs
 * Debian's postgresql, redis-server, haproxy and pgbouncer. Ctrl-C stops everything and deletes its data.
 */
import { once } from 'node:events'
import { readCommandLine } from '../src/server/platform/command-line.ts'
import { stopWithNpm } from '../src/server/platform/stop-with-npm.ts'
import { missingPackages, startCluster } from '../test/support/cluster.ts'
import { buildServerIfStale } from './build-server.ts'
import { buildWebIfStale } from './build-web.ts'

const { values } = readCommandLine({
  usage: 'npm run cluster [-- --port 8080] [--feed demo] [--pooler]',
  options: {
    /** 0 selects a free port. */
    port: { type: 'string', default: '8080' },
    feed: { type: 'string', default: 'demo' },
    pooler: { type: 'boolean', default: false },
  },
})

const missing = missingPackages(values).join(' ')
if (missing !== '') {
  print(`npm run cluster needs Debian's ${missing}: apt-get install ${missing}`)
  process.exit(1)
}

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())
stopWithNpm()
await buildWebIfStale({ print })
await buildServerIfStale({ print })
const port = Number(values.port)
const cluster = await startCluster({
  ...(port > 0 && { port }),
  settings: { FEED: values.feed, ...limitsGiven() },
  pooler: values.pooler,
  stopping,
  print,
})
try {
  if (!stopping.signal.aborted) {
    print(`Lanternist is up at ${cluster.url}; Ctrl-C ends all of it`)
    await once(stopping.signal, 'abort')
  }
  print('stopping')
} finally {
  await cluster.stop()
}
process.exit(0)

/** Passes rate limits from the environment to the nodes, for load tests. */
function limitsGiven(): Record<string, string> {
  const given = Object.entries(process.env).filter(([name]) => name.startsWith('RATE_LIMIT_'))
  return Object.fromEntries(given.map(([name, value = '']) => [name, value]))
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
