/** Puts media into vaults and reads the stored results. */
import { sql } from 'kysely'
import { vi } from 'vitest'
import { buckets } from '../../src/server/platform/storage/storage.ts'
import type { Bucket } from '../../src/server/platform/storage/storage.ts'
import type { Person, World } from './world.ts'
import { createWorld } from './world.ts'

const mimeTypes: Record<string, string> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
  mp4: 'video/mp4',
  webm: 'video/webm',
}

type Source = 'general' | 'smart-caption' | 'babecock' | 'hypnococks'

/** Uploads a file and returns its id as a path needs it. */
export async function putMedia(
  person: Person,
  bytes: Uint8Array,
  fileName = 'photo.jpg',
  source: Source = 'general',
): Promise<string> {
  const type = mimeTypes[fileName.split('.').at(-1) ?? ''] ?? ''
  const file = new File([new Uint8Array(bytes)], fileName, { type })
  const { media } = await person.vault.upload({ form: { file, source } })
  return String(media?.id)
}

/** Stores a file directly, where a picture tool would, and returns its key. */
export async function placeFile(
  world: World,
  userId: string,
  place: string,
  bytes: Uint8Array,
): Promise<string> {
  const key = `users/${userId}/${place}`
  await world.ctx.storage.put('user-media', key, bytes)
  return key
}

export async function listed(person: Person, id: string) {
  const { files } = await person.vault.list()
  const found = files.find((file) => String(file.id) === id)
  if (!found) throw new Error(`no file ${id} in the vault`)
  return found
}

/** Downloads a file as a visitor. */
export async function download(world: World, url: string): Promise<Buffer> {
  const response = await world.visitor().fetch(url)
  if (response.status !== 200) throw new Error(`${url} answers ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}

export async function readStored(world: World, bucket: Bucket, key: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of await world.ctx.storage.read(bucket, key)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export async function keysIn(world: World, bucket: Bucket): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of world.ctx.storage.list(bucket, '')) keys.push(key)
  return keys.toSorted()
}

/** Returns the keys in the file ledger, which no other row names. */
export async function unclaimedKeys(world: World): Promise<string[]> {
  const rows = await world.ctx.db.selectFrom('unclaimed_files').select('key').execute()
  return rows.map(({ key }) => key)
}

/** Resets the site and deletes all stored files. */
export async function clearShelves(world: World): Promise<void> {
  await world.reset()
  await sql`truncate unclaimed_files, file_origins cascade`.execute(world.ctx.db)
  for (const bucket of buckets)
    for (const key of await keysIn(world, bucket)) await world.ctx.storage.remove(bucket, key)
}

/** Creates a world whose storage is also empty at the start of each test. */
export async function createVaultWorld(...options: Parameters<typeof createWorld>): Promise<World> {
  const world = await createWorld(...options)
  return { ...world, reset: () => clearShelves(world) }
}

/** Makes the next read of a file wait until `release`. */
export function holdNextRead(world: World) {
  const { storage } = world.ctx
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const read = storage.read.bind(storage)
  vi.spyOn(storage, 'read').mockImplementationOnce(async (bucket, key, range) => {
    const stream = await read(bucket, key, range)
    begun.resolve()
    await gate.promise
    return stream
  })
  return { begun: begun.promise, release: gate.resolve }
}
