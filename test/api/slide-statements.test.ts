/**
 * A list of slides of any length takes the same number of statements, because they hold a lock on the
 * session.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plainJpeg } from '../support/sample-media.ts'
import type { StatementCount } from '../support/statement-count.ts'
import { countStatements } from '../support/statement-count.ts'
import { openTestDatabase } from '../support/test-database.ts'
import { listed, putMedia } from '../support/vault-media.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

let world: World
let ana: Person
let statements: StatementCount

beforeAll(async () => {
  statements = countStatements(await openTestDatabase())
  world = await createWorld({}, { database: statements.database })
  ana = await world.as('ana')
})
afterAll(() => world.close())

/** Returns this many new slides of each kind: by address, by a file's id, and by a file's address. */
async function slidesOfEachKind(count: number) {
  const mediaId = Number(await putMedia(ana, await plainJpeg()))
  await world.runJobs()
  const { url } = await listed(ana, String(mediaId))
  return Array.from({ length: count }, (_, place) => [
    { mediaUrl: `https://pictures.example/${place}.jpg`, caption: `Slide ${place}` },
    { mediaId },
    { mediaUrl: url },
  ]).flat()
}

async function statementsFor(count: number) {
  const slides = await slidesOfEachKind(count)
  let made: Awaited<ReturnType<Person['sessions']['createManual']>> | undefined
  const creating = await statements.during(async () => {
    made = await ana.sessions.createManual({ body: { title: 'Long', slides } })
  })
  const kept = (made?.media ?? []).toReversed().map(({ id }) => ({ id, caption: 'Said again' }))
  const params = { id: String(made?.session.id) }
  // Some are removed, the others change order, and new ones are inserted between them.
  const body = { slides: kept.slice(count).flatMap((slide, place) => [slide, slides[place] ?? []]) }
  let after: Awaited<ReturnType<Person['sessions']['replaceMedia']>> | undefined
  const replacing = await statements.during(async () => {
    after = await ana.sessions.replaceMedia({ params, body: { slides: body.slides.flat() } })
  })
  expect(after?.media.map(({ order }) => order)).toEqual(
    body.slides.flat().map((_, place) => place),
  )
  expect(after?.media[0]).toMatchObject({ id: kept[count]?.id, caption: 'Said again' })
  expect(after?.media[1]).toMatchObject({ mediaUrl: 'https://pictures.example/0.jpg' })
  return { creating, replacing }
}

test('making and replacing 300 slides takes the statements of six', async () => {
  const few = await statementsFor(2)
  const many = await statementsFor(75)
  expect(many).toEqual(few)
  expect(few.replacing).toBeLessThan(20)
})
