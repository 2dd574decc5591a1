/** Statements that a transaction sends together: none is lost or confused with another. */
import { sql } from 'kysely'
import type { QueryConfig, QueryResult } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DatabaseHandle } from '../../src/server/database/database.ts'
import { openDatabase } from '../../src/server/database/database.ts'
import { holdStatements } from '../../src/server/database/held-statements.ts'
import { runFireAndForget } from '../../src/server/database/statement.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { startPostgres } from '../support/postgres-server.ts'

describe('how often a transaction waits for the server', () => {
  const named = (name: string) => ({ name, text: name })
  const read = { isUnread: false }
  const unread = { isUnread: true }
  const answer: QueryResult = { command: '', rowCount: 0, oid: 0, fields: [], rows: [] }
  let sent: string[][]
  let ask: ReturnType<typeof holdStatements>

  beforeEach(() => {
    sent = []
    const textOf = (statement: string | QueryConfig) =>
      typeof statement === 'string' ? statement : statement.text
    ask = holdStatements({
      query: async (statement, before = []) => {
        sent.push([...before, statement].map(textOf))
        return answer
      },
    })
  })

  test('its begin is sent with its first statement, and fire-and-forget statements with the commit', async () => {
    await ask('begin', read)
    await ask(named('debit'), read)
    await ask(named('session'), read)
    await ask(named('job'), unread)
    await ask('commit', read)
    expect(sent).toEqual([['begin', 'debit'], ['session'], ['job', 'commit']])
  })

  test('fire-and-forget statements are sent before the next statement with a result', async () => {
    await ask('begin', read)
    await ask(named('job'), unread)
    await ask(named('event'), read)
    await ask('commit', read)
    expect(sent).toEqual([['begin', 'job', 'event'], ['commit']])
  })

  test('one without results is sent whole with its commit', async () => {
    await ask('begin', read)
    await ask(named('job'), unread)
    await ask('commit', read)
    expect(sent).toEqual([['begin', 'job', 'commit']])
  })

  test('what has no name is not held back, and keeps its place', async () => {
    await ask('begin', read)
    await ask(named('job'), unread)
    await ask('a script', unread)
    await ask({ text: 'unnamed' }, unread)
    await ask('commit', read)
    expect(sent).toEqual([['begin', 'job', 'a script'], ['unnamed'], ['commit']])
  })

  test('a statement after its end is sent by itself', async () => {
    for (const end of ['commit', 'rollback']) {
      await ask('begin', read)
      await ask(named('debit'), read)
      await ask(end, read)
      await ask(named('job'), unread)
    }
    expect(sent).toEqual([
      ['begin', 'debit'],
      ['commit'],
      ['job'],
      ['begin', 'debit'],
      ['rollback'],
      ['job'],
    ])
  })

  test('one that asks nothing sends nothing', async () => {
    for (const end of ['commit', 'rollback']) {
      await ask('begin', read)
      await ask(end, read)
    }
    expect(sent).toEqual([])
  })

  test('a rollback sends nothing of what was held back', async () => {
    await ask('begin', read)
    await ask(named('job'), unread)
    await ask('rollback', read)
    await ask('begin', read)
    await ask(named('debit'), read)
    await ask(named('job'), unread)
    await ask('rollback', read)
    expect(sent).toEqual([['begin', 'debit'], ['rollback']])
  })

  test('outside a transaction nothing is held back', async () => {
    await ask(named('job'), unread)
    expect(sent).toEqual([['job']])
  })

  test('only so many are held back', async () => {
    await ask('begin', read)
    for (let job = 1; job <= 10; job += 1) await ask(named(`job ${job}`), unread)
    expect(sent).toHaveLength(1)
    expect(sent[0]).toHaveLength(9)
    await ask('commit', read)
    expect(sent.flat()).toHaveLength(12)
  })
})

describe('on a server', () => {
  let postgres: PostgresServer
  let database: DatabaseHandle

  beforeAll(async () => {
    postgres = await startPostgres()
    await postgres.administer('create database held')
    database = await openDatabase({ databaseUrl: postgres.urlOf('held'), dataDir: '' })
    await database.query('create table notes (id int primary key, text text not null)', [])
  })
  afterAll(async () => {
    await database.close()
    await postgres.stop()
  })
  beforeEach(async () => void (await database.query('delete from notes', [])))

  const noteDown = (id: number, text: string | null) =>
    sql`insert into notes values (${id}, ${text})`
  const insert = 'insert into notes values ($1, $2) returning id'
  const readNotes = () => database.query('select id, text from notes order by id', [])

  /** Repeated, because a statement that the connection has not prepared yet is sent alone. */
  const rounds = [0, 1, 2]

  test('all of it is kept, and no rows are taken for those of another statement', async () => {
    for (const round of rounds) {
      const found = await database.db.transaction().execute(async (db) => {
        await runFireAndForget(db, insert, [round * 10, 'held'])
        const { rows } = await sql<{ text: string }>`select ${'read'}::text as text`.execute(db)
        await runFireAndForget(db, insert, [round * 10 + 1, 'held'])
        return rows
      })
      expect(found).toEqual([{ text: 'read' }])
    }
    const ids = rounds.flatMap((round) => [round * 10, round * 10 + 1])
    expect(await readNotes()).toEqual(ids.map((id) => ({ id, text: 'held' })))
  })

  test('one without results is stored', async () => {
    for (const round of rounds)
      await database.db.transaction().execute((db) => runFireAndForget(db, insert, [round, 'held']))
    expect(await readNotes()).toEqual(rounds.map((id) => ({ id, text: 'held' })))
  })

  test('a script is sent after the statements that were held back', async () => {
    for (const round of rounds)
      await database.db.transaction().execute(async (db) => {
        await runFireAndForget(db, insert, [round, 'held'])
        await sql`update notes set text = text || ' and changed'`.execute(db)
      })
    const { length } = rounds
    const found = rounds.map((id) => ({ id, text: `held${' and changed'.repeat(length - id)}` }))
    expect(await readNotes()).toEqual(found)
  })

  test('statements that are held back several at a time run in their order', async () => {
    const change = 'update notes set text = text || $2 where id = $1'
    for (const round of rounds)
      await database.db.transaction().execute(async (db) => {
        await runFireAndForget(db, insert, [round, 'a'])
        for (const letter of ['b', 'c']) await runFireAndForget(db, change, [round, letter])
      })
    expect(await readNotes()).toEqual(rounds.map((id) => ({ id, text: 'abc' })))
  })

  test('a held statement that fails makes the commit fail, and nothing is kept', async () => {
    for (const round of rounds) {
      let isHeldBack = false
      const failing = database.db.transaction().execute(async (db) => {
        await noteDown(round, 'kept?').execute(db)
        await runFireAndForget(db, insert, [round, 'the same number'])
        isHeldBack = true
      })
      await expect(failing).rejects.toMatchObject({ code: '23505' })
      expect(isHeldBack).toBe(true)
      expect(await readNotes()).toEqual([])
    }
  })

  test('what was to be prepared behind a statement that fails is not taken for prepared', async () => {
    await database.db.transaction().execute((db) => runFireAndForget(db, insert, [1, 'first']))
    const unheard = 'insert into notes values ($1, $2 || $2) returning text'
    const addTwo = (id: number) =>
      database.db.transaction().execute(async (db) => {
        await runFireAndForget(db, insert, [id, 'held'])
        await runFireAndForget(db, unheard, [id + 1, 'twice'])
      })
    await expect(addTwo(1)).rejects.toMatchObject({ code: '23505' })
    await addTwo(2)
    expect(await readNotes()).toEqual([
      { id: 1, text: 'first' },
      { id: 2, text: 'held' },
      { id: 3, text: 'twicetwice' },
    ])
  })

  test('a first statement that fails leaves a connection that can be used', async () => {
    for (const round of rounds) {
      const failing = database.db.transaction().execute((db) => noteDown(round, null).execute(db))
      await expect(failing).rejects.toMatchObject({ code: '23502' })
      await database.db.transaction().execute((db) => noteDown(round, 'mended').execute(db))
    }
    expect(await readNotes()).toEqual(rounds.map((id) => ({ id, text: 'mended' })))
  })

  test('a held statement that fails makes the next one fail, which stays usable', async () => {
    for (const round of rounds) {
      const failing = database.db.transaction().execute(async (db) => {
        await runFireAndForget(db, insert, [round, null])
        await sql`select ${round}::int + 1 as next`.execute(db)
      })
      await expect(failing).rejects.toMatchObject({ code: '23502' })
      const { rows } = await sql`select ${round}::int + 1 as next`.execute(database.db)
      expect(rows).toEqual([{ next: round + 1 }])
    }
    expect(await readNotes()).toEqual([])
  })
})
