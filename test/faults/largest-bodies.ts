/** The largest body that each endpoint accepts, and the cost of one such request. */
import { maxExcluded } from '../../src/contract/feed-search-bounds.ts'
import { newServerHome } from '../support/fault-engine.ts'
import type { FaultRow, FaultTools, Verdict } from '../support/fault.ts'
import { verdict } from '../support/fault.ts'
import type { ApiDocument, Operation } from '../support/hostile-requests.ts'
import { readOperations } from '../support/hostile-requests.ts'
import type { ListStyle, TextStyle } from '../support/largest-body.ts'
import { largestBody, textStyles } from '../support/largest-body.ts'
import { cpuMs } from '../support/process-figures.ts'
import type { Schema } from '../support/schema-sampler.ts'
import { devCookie, startService } from '../support/service-process.ts'

const bodyBytes = 1_000_000
const maxCpuMs = 600
const named = 5
const pages = 5

/** The largest accepted bodies of endpoints that refuse more than their schema says. */
const ownBodies: Readonly<Record<string, (text: string) => unknown>> = {
  'feeds.search': (text) => ({
    query: 'city',
    limit: 100,
    excludeUrls: Array.from(
      { length: maxExcluded.charactersInAll / maxExcluded.charactersEach },
      (_, at) =>
        `https://i.redd.it/${at}?${text.repeat(maxExcluded.charactersEach)}`.slice(
          0,
          maxExcluded.charactersEach,
        ),
    ),
  }),
}

export const row: FaultRow = {
  budgetSeconds: 600,
  runs: 'in the table',
  machine: 'shared',
  shortTests: ['test/api/feeds.test.ts', 'test/tidy/regular-expressions.test.ts'],
  mutant: {
    file: 'src/server/http/page-language.ts',
    line: "const [tag = '', weight] = part.split(';', 2).map((piece) => piece.trim())",
    becomes: "const [tag = '', weight] = part.trim().split(/\\s*;\\s*/)",
  },
  checks: [
    {
      load: `the largest body of each endpoint, in ${Object.keys(textStyles).length * 2} styles, and ${pages} pages with a header of 15,000 blanks`,
      goal: `none takes more than ${maxCpuMs} ms of the processor`,
      run: sendLargest,
    },
  ],
}

type Cost = { readonly name: string; readonly status: number; readonly ms: number }

async function sendLargest({ say, afterwards }: FaultTools): Promise<Verdict> {
  const home = await newServerHome({ afterwards })
  const settings = { ...home.settings, FEED: 'demo', CAPTIONS: 'off', CREDITS: 'off' }
  // Enqueued jobs do not run here.
  const service = await startService(settings, { ...home, words: ['--role', 'web'] })
  const answer = await fetch(`${service.url}/api/openapi.json`)
  const document = (await answer.json()) as ApiDocument
  const cookie = await devCookie(service)
  const costs: Cost[] = []
  const measure = async (name: string, send: () => Promise<Response>) => {
    const before = cpuMs(service.pid)
    const response = await send()
    await response.arrayBuffer()
    costs.push({ name, status: response.status, ms: cpuMs(service.pid) - before })
  }
  const operations = readOperations(document).filter(({ body }) => body !== undefined)
  for (const operation of operations)
    for (const body of bodiesOf(operation, document.components.schemas)) {
      const path = operation.path.replaceAll(/\{\w+\}/g, '1')
      await measure(operation.id, () =>
        fetch(`${service.url}${path}`, {
          method: operation.method,
          headers: { 'content-type': 'application/json', cookie },
          body: JSON.stringify(body),
          redirect: 'manual',
        }),
      )
    }
  const blanks = `a${' '.repeat(15_000)}b`
  const headers = { 'accept-language': blanks }
  await measure(`${pages} pages`, async () => {
    const answers = await Promise.all(
      Array.from({ length: pages }, () => fetch(service.url, { headers })),
    )
    return new Response(answers.map(({ status }) => status).join(' '))
  })
  const dearest = costs.toSorted((one, other) => other.ms - one.ms)
  for (const { name, status, ms } of dearest.slice(0, 20))
    say(`${name}: ${ms} ms, status ${status}`)
  const top = dearest.slice(0, named).map(({ name, ms }) => `${name} ${ms} ms`)
  return verdict(`${costs.length} requests at ${operations.length} endpoints; ${top.join(', ')}`, {
    [`${dearest[0]?.name} takes too long`]: (dearest[0]?.ms ?? 0) <= maxCpuMs,
    'the service ended': service.isRunning,
  })
}

function bodiesOf({ id, body }: Operation, schemas: Readonly<Record<string, Schema>>): unknown[] {
  const own = ownBodies[id]
  if (own) return Object.values(textStyles).map((text) => own(text))
  // Both come from the table above.
  const texts = Object.keys(textStyles) as TextStyle[]
  const lists: readonly ListStyle[] = ['many', 'long']
  return texts.flatMap((text) =>
    lists.map((list) => largestBody(schemas, body ?? {}, { text, list, bytes: bodyBytes })),
  )
}
