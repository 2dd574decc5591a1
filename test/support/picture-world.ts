/** A world for the picture tools: users with credits, a remote site with pictures, access to results. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sweepUnclaimedFiles } from '../../src/server/features/files/unclaimed-files.ts'
import { addressOfMediaUrl } from '../../src/server/http/media/media-url.ts'
import type { FileAddress } from '../../src/server/platform/storage/storage.ts'
import type { SessionWorld } from './session-world.ts'
import { createSessionWorld } from './session-world.ts'
import type { Person } from './world.ts'

export type PictureWorld = SessionWorld & {
  /** Serves these bytes at the remote site and returns their address. */
  readonly publish: (path: string, bytes: Uint8Array, type?: string) => string
  /** Returns a user with 500 additional credits. */
  readonly rich: (name: string) => Promise<Person>
  readonly balanceOf: (person: Person) => Promise<number>
  /** Returns the bytes at an address from a response. */
  readonly bytesAt: (url: string) => Promise<Buffer>
  readonly fileAt: (url: string) => FileAddress
  /** Returns every key in the bucket of users' own files. */
  readonly ownKeys: () => Promise<string[]>
  readonly originsOf: (url: string) => Promise<string[]>
  readonly sweep: () => Promise<void>
}

export async function createPictureWorld(): Promise<PictureWorld> {
  const served = new Map<string, { bytes: Uint8Array; type: string }>()
  const site = createServer((request, response) => {
    const file = served.get(request.url ?? '')
    if (!file) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': file.type }).end(file.bytes)
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  const host = `127.0.0.1:${(site.address() as AddressInfo).port}`
  const world = await createSessionWorld({ FETCH_ALLOW: host })
  const { ctx } = world
  const fileAt = (url: string) => {
    const file = addressOfMediaUrl(ctx.config.sessionSecrets, url)?.file
    if (!file) throw new Error(`not an address of ours: ${url}`)
    return file
  }
  const ownKeys = async () => {
    const keys: string[] = []
    for await (const { key } of ctx.storage.list('user-media', '')) keys.push(key)
    return keys.toSorted()
  }
  return {
    ...world,
    ownKeys,
    async reset() {
      await world.reset()
      for (const key of await ownKeys()) await ctx.storage.remove('user-media', key)
      await ctx.db.deleteFrom('unclaimed_files').execute()
      await ctx.db.deleteFrom('file_origins').execute()
    },
    publish(path, bytes, type = 'image/jpeg') {
      served.set(path, { bytes, type })
      return `http://${host}${path}`
    },
    async rich(name) {
      const person = await world.as(name)
      await world.grant(name, 500)
      return person
    },
    balanceOf: async (person) => (await person.credits.balance()).balance,
    async bytesAt(url) {
      const response = await world.visitor().fetch(url)
      if (response.status !== 200) throw new Error(`${url} answers ${response.status}`)
      return Buffer.from(await response.arrayBuffer())
    },
    fileAt,
    async originsOf(url) {
      const { bucket, key } = fileAt(url)
      const rows = await ctx.db
        .selectFrom('file_origins')
        .select('origin_key')
        .where('bucket', '=', bucket)
        .where('key', '=', key)
        .execute()
      return rows.map((row) => row.origin_key).toSorted()
    },
    sweep: () => sweepUnclaimedFiles(ctx),
    async close() {
      await world.close()
      site.close()
      site.closeAllConnections()
    },
  }
}

type Composing = {
  first: string
  second: string
  layout?: 'auto' | 'side-by-side' | 'top-bottom'
  saveToVault?: boolean
}

/** Composes two pictures, with readable names for the fields of the API. */
export function compose(
  person: Person,
  { first, second, ...rest }: Composing,
  headers: Record<string, string> = {},
) {
  const body = { babeImageUrl: first, cockImageUrl: second, ...rest }
  return person.images.compose({ body, headers })
}

export function upload(person: Person, bytes: Buffer, which: 'uploadFirst' | 'uploadSecond') {
  return person.images[which]({ form: { image: new Blob([new Uint8Array(bytes)]) } })
}
