/**
 * Nodes with one role each, behind a real PgBouncer in transaction mode: one answers requests, the other
 * runs the jobs. Everything that outlives a transaction bypasses the pooler.
 */
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { registerCaller } from '../support/outage-stage.ts'
import { hasPgBouncer, startPgBouncer } from '../support/pgbouncer.ts'
import type { Pooler } from '../support/pgbouncer.ts'
import { noise } from '../support/pictures.ts'
import { endServices, launchService, startService, unlimited } from '../support/service-process.ts'
import { copyTemplate } from '../support/test-database.ts'

const atOnce = 40
let pooler: Pooler | null = null

beforeAll(async () => {
  if (hasPgBouncer()) pooler = await startPgBouncer(inject('postgresUrl'))
  else console.info('PgBouncer is not installed: the nodes go to the server itself')
})
afterAll(async () => {
  await endServices()
  await pooler?.stop()
})

test('separate nodes serve requests and run jobs', { timeout: 600_000 }, async () => {
  const directUrl = await copyTemplate()
  const settings = {
    ...unlimited,
    DATABASE_URL: pooler?.urlOf(directUrl) ?? directUrl,
    DATABASE_DIRECT_URL: directUrl,
    SESSION_SECRET: 'a secret that all nodes share',
  }
  const web = await startService(settings, { words: ['--role', 'web'] })
  const dataDir = `${web.folder}/data`
  const ana = await registerCaller(web.url, 'ana')
  // More concurrent requests than the pooler has connections, so statements reach connections that did
  // not prepare them.
  const names = Array.from({ length: atOnce }, (_, index) => `Name ${index}`)
  const renamed = await Promise.all(
    names.map((firstName) =>
      ana('/api/auth/user', {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ firstName }),
      }),
    ),
  )
  expect(renamed.map(({ status }) => status)).toEqual(names.map(() => 200))
  const form = new FormData()
  const bytes = new Uint8Array(await noise(40, 40, 'png'))
  form.set('file', new File([bytes], 'a.png', { type: 'image/png' }))
  expect(await ana('/api/media/upload', { method: 'POST', body: form })).toMatchObject({
    status: 200,
  })
  const state = async () => {
    const { body } = await ana('/api/user/media')
    return (body as { files: { enrichmentStatus: string }[] }).files[0]?.enrichmentStatus
  }
  expect(await state()).toBe('pending')
  const worker = await startService(
    { ...settings, DATA_DIR: dataDir },
    { words: ['--role', 'worker'] },
  )
  await expect.poll(state, { timeout: 120_000 }).toBe('completed')
  const asked = await fetch(`${worker.url}/api/site`)
  expect(asked.status).toBe(404)
  expect((await fetch(`${worker.url}/healthz`)).status).toBe(200)
})

test.each([
  [['--role', 'both'], '--role must be one of web, worker, all\n'],
  [['--role', 'web'], '--role web needs DATABASE_URL: an embedded database has one process\n'],
])('%s is refused in one line', async (words, line) => {
  const service = await launchService({}, { words })
  expect(await service.ended).toMatchObject({ code: 1 })
  expect(service.stderr).toBe(line)
})
