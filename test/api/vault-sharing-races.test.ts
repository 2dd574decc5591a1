/** Two nodes on one database and one storage: many concurrent calls share one file (contract 4.4). */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiProblem } from '../../src/client/client.ts'
import { connectToServer } from '../../src/server/database/server.ts'
import { plainJpeg } from '../support/sample-media.ts'
import { copyTemplate, engine } from '../support/test-database.ts'
import { keysIn, listed, putMedia, unclaimedKeys } from '../support/vault-media.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld, password } from '../support/world.ts'

const applies = engine === 'postgres'
if (!applies) console.log('skipped: sharing on two nodes: the embedded database has only one')

let dataDir: string
let first: World
let second: World
let ana: Person
let anaElsewhere: Person

beforeAll(async () => {
  if (!applies) return
  dataDir = await mkdtemp(join(tmpdir(), 'lanternist-two-'))
  const url = await copyTemplate()
  const settings = { DATA_DIR: dataDir, SESSION_SECRET: 'a secret that both nodes know' }
  first = await createWorld(settings, { database: await connectToServer(url) })
  second = await createWorld(settings, { database: await connectToServer(url) })
  ana = await first.as('ana')
  await ana.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
  anaElsewhere = second.visitor()
  await anaElsewhere.accounts.signIn({ body: { email: 'ana@example.test', password } })
})
afterAll(async () => {
  if (!applies) return
  await first.close()
  await second.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** Returns the status of a refusal. Any other error fails the test. */
const statusOf = (error: unknown) => {
  if (error instanceof ApiProblem) return error.status
  throw error
}
const published = { policyAgreed: true, tags: ['city'] }
const everywhere = <T>(count: number, call: (person: Person) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => call(at % 2 === 0 ? ana : anaElsewhere)))
const records = () => first.ctx.db.selectFrom('community_media').selectAll().execute()

test.runIf(applies)('twenty concurrent shares make one record, one code and one copy', async () => {
  const id = await putMedia(ana, await plainJpeg())
  const answers = await everywhere(20, (person) =>
    person.vault.share({ params: { id }, body: published }),
  )
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  const made = await records()
  expect(made).toMatchObject([{ id: answers[0]!.communityMediaId, media_id: Number(id) }])
  expect(await keysIn(first, 'general')).toEqual(
    [made[0]!.file_key, made[0]!.thumbnail_key!].toSorted(),
  )
  expect(await unclaimedKeys(first)).toEqual([])
})

test.runIf(applies)(
  'concurrent publishing, withdrawing and deleting leave no file without a record',
  async () => {
    for (let round = 0; round < 3; round += 1) {
      const id = await putMedia(ana, await plainJpeg({ width: 200, height: 150 }))
      const params = { id }
      const calls: ((person: Person) => Promise<unknown>)[] = [
        (person: Person) => person.vault.share({ params, body: published }),
        (person: Person) => person.vault.share({ params, body: { shareToCommunity: false } }),
        (person: Person) => person.vault.unshare({ params }),
        ...(round === 2 ? [(person: Person) => person.vault.remove({ params })] : []),
      ]
      let turn = 0
      const outcomes = await everywhere(16, (person) =>
        calls[turn++ % calls.length]!(person).then(() => 'done', statusOf),
      )
      // After the deletion the file is not found. A file that is not shared cannot be unshared.
      expect(outcomes.filter((outcome) => outcome !== 'done' && outcome !== 404)).toEqual([])
      expect(outcomes).toContain('done')
      const kept = (await records()).flatMap(({ file_key, thumbnail_key }) =>
        [file_key, thumbnail_key].filter((key) => key !== null),
      )
      expect(await keysIn(first, 'general')).toEqual(kept.toSorted())
      expect(await unclaimedKeys(first)).toEqual([])
      if (round === 2) continue
      const isPublished = (await records()).some(({ media_id }) => media_id === Number(id))
      expect((await listed(ana, id)).shareToCommunity).toBe(isPublished)
    }
  },
)
