/** Imports from sites that are slow or unreachable: other imports wait for the same workers. */
import { expect, test } from 'vitest'
import { runCopying } from '../../src/server/features/imports/copying.ts'
import { FetchRefused } from '../../src/server/platform/fetch/user-url.ts'
import type { CommunityWorld } from '../support/community-world.ts'
import { createCommunityWorld } from '../support/community-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'

let world: CommunityWorld
let ana: Person

useWorld(createCommunityWorld, async (fresh) => {
  world = fresh
  ana = await world.as('ana')
})

const elsewhere = (count: number, host = 'far.example') =>
  Array.from({ length: count }, (_, index) => `https://${host}/${index}.png`)
const here = (count: number) =>
  Array.from({ length: count }, (_, index) => `${world.site.origin}/png/${index}.png`)

/** Runs an import once while all other sites fail with this reason. `asked` lists the requested addresses. */
async function importWhile(reason: FetchRefused['reason'], urls: readonly string[]) {
  const { session } = await ana.imports.importSession({ body: { title: 'Far', urls: [...urls] } })
  const asked: string[] = []
  const { fetch } = world.ctx
  const answering: typeof fetch = async (url, options) => {
    if (url.startsWith(world.site.origin)) return fetch(url, options)
    asked.push(url)
    throw new FetchRefused(reason)
  }
  await runCopying({ ...world.ctx, fetch: answering }, session.id)
  const after = await ana.sessions.read({ params: { id: String(session.id) } })
  return { asked, ...after }
}

test('a host that took too long is not asked again', async () => {
  const { asked, media, skipped } = await importWhile('timeout', [...elsewhere(1), ...here(1)])
  expect(asked).toEqual(elsewhere(1))
  expect(media).toHaveLength(1)
  expect(skipped).toMatchObject([{ source: elsewhere(1)[0], code: 'unreachable' }])
})

test('a host that broke off is asked once more', async () => {
  const { asked } = await importWhile('unreachable', [...elsewhere(1), ...here(1)])
  expect(asked).toEqual([...elsewhere(1), ...elsewhere(1)])
})

test.each(['timeout', 'unreachable'] as const)(
  'after three slides that end with %s a host is skipped for the run, and others are not',
  async (reason) => {
    const urls = [...elsewhere(12), ...elsewhere(1, 'other.example'), ...here(3)]
    const { asked, media, skipped } = await importWhile(reason, urls)
    expect(media).toHaveLength(3)
    // Lanes that were already requesting when the third failure arrived finish their request.
    expect(new Set(asked.filter((url) => url.includes('far.example'))).size).toBeLessThanOrEqual(5)
    expect(asked).toContain('https://other.example/0.png')
    expect(skipped.map(({ code }) => code)).toEqual(Array(13).fill('unreachable'))
  },
)

test('a host that answers in between is asked again', async () => {
  const urls = Array.from({ length: 12 }, (_, index) => `${world.site.origin}/png/${index}.png`)
  const { session } = await ana.imports.importSession({ body: { title: 'Fitful', urls } })
  const { fetch } = world.ctx
  let calls = 0
  const fitful: typeof fetch = async (url, options) => {
    calls += 1
    if (calls % 4 === 0) throw new FetchRefused('timeout')
    return fetch(url, options)
  }
  await runCopying({ ...world.ctx, fetch: fitful }, session.id)
  expect(calls).toBe(12)
})
