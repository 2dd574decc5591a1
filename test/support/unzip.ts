/** Reads a zip with an independent library: every entry by its name, in the archive's order. */
import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
import type { Person } from './world.ts'

/** Throws if a name, a size or a checksum is wrong. */
export async function unzip(archive: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(archive)
  const entries = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry()) {
    if (entries.has(entry.fileName)) throw new Error(`${entry.fileName} is there twice`)
    entries.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  }
  return entries
}

/** Downloads and unpacks the export of an account. */
export async function exportOf(person: Person) {
  const response = await person.fetch('/api/auth/export')
  if (response.status !== 200) throw new Error(`the export answers ${response.status}`)
  const entries = await unzip(Buffer.from(await response.arrayBuffer()))
  const json = (name: string): unknown => JSON.parse(String(entries.get(name)))
  return { entries, names: [...entries.keys()], json, headers: response.headers }
}
