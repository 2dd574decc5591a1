/** The host of a slide's address, computed by the database for every form of address. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const addresses = [
  'https://pictures.example.test/one.jpg',
  'HTTP://Pictures.Example.TEST:8080?size=1',
  'https://pictures.example.test#part',
  'https://a://b',
  'https:///one.jpg',
  'https://?',
  'ftp://pictures.example.test/one.jpg',
  '/media/user-media/users/ana/one.jpg?s=x',
  ' https://pictures.example.test/',
  'https://ana@pictures.example.test/one.jpg',
  `https://${'x'.repeat(250)}.example.test/`,
  `https://${'x'.repeat(249)}/one.jpg`,
  '',
]

test('a host is the part between the scheme and the path, at most 250 characters', async () => {
  const { rows } = await sql<{ url: string; told: string | null; meant: string | null }>`
    select url, link_host_of(url) as told,
      lower(substring(url from '(?i)^https?://([^/?#]{1,250})')) as meant
    from unnest(${addresses}::text[]) url`.execute(world.ctx.db)
  expect(rows).toHaveLength(addresses.length)
  for (const { url, told, meant } of rows) expect({ url, host: told }).toEqual({ url, host: meant })
})

test('a slide with a new address gets the new host', async () => {
  const ana = await world.as('ana')
  const slides = [{ mediaUrl: 'https://one.example.test/a.jpg' }]
  const { session } = await ana.sessions.createManual({ body: { title: 'Two hosts', slides } })
  const hosts = async () => {
    const found = await world.ctx.db
      .selectFrom('session_media')
      .select('link_host')
      .where('session_id', '=', session.id)
      .execute()
    return found.map(({ link_host }) => link_host)
  }
  expect(await hosts()).toEqual(['one.example.test'])
  await world.ctx.db
    .updateTable('session_media')
    .set({ media_url: 'https://two.example.test/a.jpg' })
    .where('session_id', '=', session.id)
    .execute()
  expect(await hosts()).toEqual(['two.example.test'])
})
