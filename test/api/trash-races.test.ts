/**
 * Moving, restoring, deleting and sweeping at once: each item ends present, in the trash, or deleted, and
 * never half-way.
 */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { purgeOldTrash } from '../../src/server/features/trash/ending.ts'
import { useWorld } from '../support/use-world.ts'
import { upload } from '../support/vault-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

let world: World
let ana: Person

useWorld(createWorld, async (fresh) => {
  world = fresh
  ana = await world.as('ana')
})

const monthMs = 30 * 24 * 3_600_000
const rounds = 12

type Item = { kind: 'media' | 'session'; id: number }

/** Returns the state of a file and of the slides that show it, and whether its address is hidden. */
async function stateOf(id: number) {
  const { rows } = await sql<{ state: string; slides: string; hidden: boolean }>`
    select coalesce((select case when trashed_at is null then 'here' else 'trash' end
        from vault_media where id = ${id}), 'gone') as state,
      coalesce((select string_agg(distinct case when in_trash then 'trash' else 'here' end, ', ')
        from session_media where vault_media_id = ${id}), 'gone') as slides,
      exists (select from trashed_files where media_id = ${id}) as hidden`.execute(world.ctx.db)
  return rows[0]
}

const wholeStates = [
  { state: 'here', slides: 'here', hidden: false },
  { state: 'trash', slides: 'trash', hidden: true },
  { state: 'gone', slides: 'gone', hidden: false },
]

test('a file that is restored, trashed and deleted at once ends in one consistent state', async () => {
  const inAMonth = new Date(world.clock.now().getTime() + monthMs)
  for (let round = 0; round < rounds; round += 1) {
    const { mediaId } = await upload(ana, `${round}.png`)
    const slides = [{ mediaId }, { mediaId }]
    for (const title of ['One', 'Two']) await ana.sessions.createManual({ body: { title, slides } })
    const items: Item[] = [{ kind: 'media', id: mediaId }]
    await ana.trash.put({ body: { items } })
    const results = await Promise.allSettled([
      ana.trash.restore({ body: { items } }),
      ana.trash.put({ body: { items } }),
      ana.trash.empty({ body: { items } }),
      purgeOldTrash({ ...world.ctx, now: () => inAMonth }),
      ana.trash.restore({ body: { items } }),
      ana.vault.remove({ params: { id: String(mediaId) } }),
    ])
    // The final deletion, the last call, may find nothing. All others must succeed.
    expect(results.slice(0, 5).map(({ status }) => status)).toEqual(Array(5).fill('fulfilled'))
    expect(wholeStates).toContainEqual(await stateOf(mediaId))
  }
  // Every deleted file has lost its row in `stored_files`, and no other file has.
  const { rows } = await sql<{ kept: number; files: number }>`
    select (select count(*)::int from vault_media) as kept,
      (select count(*)::int from stored_files) as files`.execute(world.ctx.db)
  expect(rows).toEqual([{ kept: rows[0]?.kept, files: rows[0]?.kept }])
})

test('of twenty concurrent restores and deletions of one session exactly one succeeds', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { mediaId } = await upload(ana, `${round}.png`)
    const made = await ana.sessions.createManual({ body: { title: 'One', slides: [{ mediaId }] } })
    const items: Item[] = [{ kind: 'session', id: made.session.id }]
    await ana.trash.put({ body: { items } })
    const done = await Promise.all(
      Array.from({ length: 20 }, async (_, turn) =>
        turn % 2 === 0
          ? (await ana.trash.restore({ body: { items } })).restored
          : (await ana.trash.empty({ body: { items } })).deleted,
      ),
    )
    expect(done.reduce((sum, one) => sum + one, 0)).toBe(1)
    const listed = await ana.sessions.list()
    expect(listed.some(({ id }) => id === made.session.id)).toBe(
      done.findIndex((one) => one === 1) % 2 === 0,
    )
    expect((await ana.trash.list()).items).toEqual([])
  }
  expect((await ana.vault.list()).totalCount).toBe(rounds)
})
