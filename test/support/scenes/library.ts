/** Scenes of imports, the vault, and the trash. */
import { immichKey } from '../immich-server.ts'
import { noise } from '../pictures.ts'
import { fileOf } from '../vault-world.ts'
import type { Person } from '../world.ts'
import type { Scene } from './stage.ts'
import { call, until } from './stage.ts'
import { ask, formOf, makeSession } from './things.ts'

const feeds: Scene = async ({ adult, visitor, admin }) => {
  const ana = await adult('ana')
  await call(visitor(), 'feeds.search', { json: { query: 'city' } })
  await call(ana, 'feeds.fetch', { json: { subfeeds: 'city' } })
  await ana.feeds.suggest({ query: { q: 'c' } })
  await (await admin()).adminSources.read()
}

const connections: Scene = async ({ adult }) => {
  const ana = await adult('ana')
  const id = await makeSession(ana)
  const subfeeds = 'immich:random'
  await call(ana, 'feeds.fetch', { json: { subfeeds } })
  await call(ana, 'sessions.create', { json: { title: 'Mine', subfeeds } })
  await call(ana, 'sessions.update', { params: { id: String(id) }, json: { subfeeds } })
  const connect = (apiKey: string) =>
    call(ana, 'connections.create', { json: { kind: 'immich', apiKey } })
  await connect('no-such-key')
  await connect(immichKey)
  const [connection] = await ana.connections.list()
  const params = { id: connection?.id ?? '' }
  await ana.connections.remove({ params })
  await call(ana, 'connections.remove', { params })
}

const archives: Scene = async ({ adult }) => {
  const [ana, bo] = [await adult('ana'), await adult('bo')]
  // Large enough that several exports run at once.
  const photograph = fileOf(await noise(900, 900, 'png', 7), 'a.png', 'image/png')
  await ana.vault.upload({ form: { file: photograph } })
  const id = String(await makeSession(ana))
  const zip = await exportOf(ana)
  const bring = (person: Person, file: File) =>
    ask(person, 'archives.importLibrary', { form: () => formOf('file', file) })
  // One of them is accepted, the other refused.
  const answers = await Promise.all([bring(bo, zip), bring(bo, zip)])
  const taken = answers.find(({ status }) => status === 202)
  if (!taken) throw new Error('neither of two imports was taken')
  const { importId } = taken.body as { importId: string }
  const params = { id: importId }
  await until(
    () => bo.archives.readLibraryImport({ params }),
    ({ status }) => status !== 'running',
  )
  await call(ana, 'archives.readLibraryImport', { params })
  const meanwhile = () => ana.fetch('/api/library/export')
  // Other exports take all slots.
  for (const name of ['archives.exportLibrary', 'accounts.exportAccount', 'archives.exportSession'])
    await until(
      () =>
        Promise.all([call(ana, name, { params: { id } }), ...Array.from({ length: 4 }, meanwhile)]),
      ([{ status }]) => status === 429,
    )
  const broken = new File(['no zip'], 'a.zip', { type: 'application/zip' })
  await bring(bo, broken)
  const restore = (file: File) =>
    ask(bo, 'imports.importSession', { form: () => formOf('file', file) })
  await restore(broken)
  await ask(bo, 'imports.importSession', { form: () => new FormData() })
  await restore(await exportOf(ana, `/api/sessions/${id}/export`))
}

/**
 * Returns an archive, by default of the library. An export of a killed node blocks a slot for a while, so
 * this retries.
 */
export async function exportOf(person: Person, path = '/api/library/export'): Promise<File> {
  const answer = await until(
    () => person.fetch(path),
    ({ status }) => status === 200,
  )
  return new File([await answer.arrayBuffer()], 'a.zip', { type: 'application/zip' })
}

const imports: Scene = async ({ adult }) => {
  const ana = await adult('ana')
  const bring = (json: object) => call(ana, 'imports.importSession', { json })
  await bring({ title: 'x', urls: ['nothing'] })
  await bring({ title: 'x', urls: ['https://a.example/1.png'] })
  await bring({ title: 'x', listing: 'x'.repeat(6_000_000) })
}

const trash: Scene = async ({ adult }) => {
  const ana = await adult('ana')
  const items = [{ kind: 'session' as const, id: await makeSession(ana) }]
  await ana.trash.put({ body: { items } })
  await ana.trash.list()
  await ana.trash.restore({ body: { items } })
  await ana.trash.put({ body: { items } })
  await ana.trash.empty({ body: { items } })
}

export const libraryScenes = { feeds, connections, archives, imports, trash } satisfies Record<
  string,
  Scene
>
