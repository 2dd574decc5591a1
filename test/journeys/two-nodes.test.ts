/** Two nodes on one PostgreSQL: they start together on an empty database and serve one site. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildWebIfStale } from '../../scripts/build-web.ts'
import { readMigrations } from '../../src/server/database/migrations.ts'
import { connectToServer } from '../../src/server/database/server.ts'
import { createCookieJar } from '../support/cookie-jar.ts'
import type { ServiceProcess } from '../support/service-process.ts'
import { endServices, launchService, unlimited } from '../support/service-process.ts'
import { copyTemplate, engine } from '../support/test-database.ts'

const applies = engine === 'postgres'
if (!applies) console.log('skipped: two nodes: the embedded database belongs to one process')

const settings = { ...unlimited, SESSION_SECRET: 'a secret that both nodes know' }
let databaseUrl: string
let first: ServiceProcess
let second: ServiceProcess

beforeAll(async () => {
  if (!applies) return
  await buildWebIfStale({ print: () => {} })
  databaseUrl = await copyTemplate({ empty: true })
  ;[first, second] = await Promise.all([launchNode(), launchNode()])
  await Promise.all([first.ready(), second.ready()])
})
afterAll(endServices)

test.runIf(applies)(
  'two nodes that start at once both run, and each migration ran once',
  async () => {
    const { db, close } = await connectToServer(databaseUrl)
    const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(db)
    const users = await db.selectFrom('users').select('id').orderBy('id').execute()
    await close()
    const names = (await readMigrations()).map(({ name }) => name)
    expect(rows.map(({ name }) => name).toSorted()).toEqual(names)
    const ran = [...migrationsLogged(first), ...migrationsLogged(second)]
    expect(ran.toSorted()).toEqual(names)
    expect(users.map(({ id }) => id)).toEqual(['dev-user-1', 'dev-user-2', 'dev-user-3'])
    expect([first.stderr, second.stderr]).toEqual(['', ''])
  },
)

test.runIf(applies)(
  'a sign-in on one works on the other, and a sign-out there ends it at once',
  async () => {
    const jar = createCookieJar()
    const registered = await fetch(`${first.url}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ana@example.test', password: 'a long enough password' }),
    })
    expect(registered.status).toBe(201)
    jar.keep(registered.headers.getSetCookie())
    expect(await whoIs(first, jar.header())).toBe('ana@example.test')
    expect(await whoIs(second, jar.header())).toBe('ana@example.test')
    const left = await fetch(`${second.url}/api/auth/logout`, {
      method: 'POST',
      headers: { cookie: jar.header() },
    })
    expect(left.status).toBe(200)
    expect(await whoIs(first, jar.header())).toBe(401)
    expect(await whoIs(second, jar.header())).toBe(401)
  },
)

test.runIf(applies)('kill -9 of one leaves the other serving', async () => {
  expect(await first.kill()).toEqual({ code: null, signal: 'SIGKILL' })
  expect((await fetch(`${second.url}/readyz`)).status).toBe(200)
  const signedIn = await fetch(`${second.url}/api/dev-login`, { redirect: 'manual' })
  const jar = createCookieJar()
  jar.keep(signedIn.headers.getSetCookie())
  expect(await whoIs(second, jar.header())).toBe('dev1@example.test')
  expect(await second.stop()).toEqual({ code: 0, signal: null })
})

function launchNode(): Promise<ServiceProcess> {
  return launchService({ ...settings, DATABASE_URL: databaseUrl })
}

/** Returns the migrations that a node logged as applied. */
function migrationsLogged({ stdout }: ServiceProcess): string[] {
  const lines = stdout.split('\n').filter((line) => line.includes('"database migrated"'))
  return lines.flatMap((line) => (JSON.parse(line) as { applied: string[] }).applied)
}

/** Returns the email address of the cookie's account on that node, or the status of the refusal. */
async function whoIs(node: ServiceProcess, cookie: string): Promise<string | number> {
  const answer = await fetch(`${node.url}/api/auth/user`, { headers: { cookie } })
  if (!answer.ok) return answer.status
  return ((await answer.json()) as { email: string }).email
}
