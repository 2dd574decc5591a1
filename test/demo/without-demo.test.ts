/** The service without the demo's folder, as in the production image. */
import { readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildServerIfStale } from '../../scripts/build-server.ts'
import { buildWebIfStale } from '../../scripts/build-web.ts'
import { endServices, launchService, startService } from '../support/service-process.ts'

const repository = resolve(import.meta.dirname, '../..')
const production = {
  NODE_ENV: 'production',
  BASE_URL: 'https://lanternist.test',
  SESSION_SECRET: 'a secret that is long enough',
}

let image: string
let program: string

beforeAll(async () => {
  await buildWebIfStale({ print: () => {} })
  await buildServerIfStale({ print: () => {} })
  image = await mkdtemp(join(tmpdir(), 'lanternist-image-'))
  program = join(image, 'dist/server/main.js')
  for (const path of [...copiedIntoImage(), 'dist'])
    await cp(join(repository, path), join(image, path), { recursive: true })
  await symlink(join(repository, 'node_modules'), join(image, 'node_modules'))
})
afterAll(async () => {
  await endServices()
  await rm(image, { recursive: true })
})

test('the image has the server and no demo', () => {
  expect(copiedIntoImage()).toContain('src/server')
  expect(copiedIntoImage().filter((path) => /^(\.|demo)/.test(path))).toEqual(['.npmrc'])
})

test('what is in the image starts in production', async () => {
  const service = await startService(production, { program })
  expect(await service.stop()).toEqual({ code: 0, signal: null })
  expect(service.stderr).toBe('')
})

test.each(['FEED', 'CAPTIONS'])('%s=demo is refused there in one line', async (setting) => {
  const settings = { FEED: 'off', CAPTIONS: 'off', [setting]: 'demo' }
  const service = await launchService(settings, { program })
  expect(await service.ended).toEqual({ code: 1, signal: null })
  expect(service.stderr).toBe(`${setting} cannot be 'demo': the folder 'demo' is not installed\n`)
})

/** Returns the paths that the last stage of the Dockerfile copies from the repository. */
function copiedIntoImage(): string[] {
  const [stage = ''] = readFileSync(join(repository, 'Dockerfile'), 'utf8')
    .split(/^FROM /m)
    .slice(-1)
  const copies = [...stage.matchAll(/^COPY (?!--from)(.+)$/gm)]
  return copies.flatMap(([, paths = '']) => paths.split(' ').slice(0, -1))
}
