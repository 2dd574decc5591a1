/**
 * Generates a zip while it is sent. Entries are opened one at a time and read only as fast as the client
 * reads, so an archive of any size needs the memory of a few chunks. When the client disconnects, reading
 * stops.
 */
import { PassThrough, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

export type ArchiveEntry = {
  readonly name: string
  /** Null for an archive whose bytes must not depend on the time and place of its creation. */
  readonly modifiedAt: Date | null
  /** False for content that is already compressed, such as pictures. */
  readonly compress: boolean
  /** Called when the entry is next. */
  readonly open: () => AsyncIterable<Uint8Array | string>
}

// Local time, as the zip format requires, so that it is the same in every time zone.
const noTime = new Date(1980, 0, 1)

export function archiveOf(entries: AsyncIterable<ArchiveEntry>): Readable {
  const zip = new ZipFile()
  const output = new PassThrough()
  const current: Current = { stop: () => {} }
  output.once('close', () => current.stop())
  zip.on('error', (error: Error) => output.destroy(error))
  zip.outputStream.pipe(output)
  fill(zip, entries, output, current).then(
    () => zip.end(),
    (error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))),
  )
  return output
}

/** Stops the current read. */
type Current = { stop: () => void }

class NobodyReads extends Error {}

async function fill(
  zip: ZipFile,
  entries: AsyncIterable<ArchiveEntry>,
  output: Readable,
  current: Current,
): Promise<void> {
  for await (const entry of entries) {
    if (output.destroyed) throw new NobodyReads()
    await add(zip, entry, current)
  }
}

function add(zip: ZipFile, entry: ArchiveEntry, current: Current): Promise<void> {
  const { name, modifiedAt, compress } = entry
  const time = { mtime: modifiedAt ?? noTime, forceDosTimestamp: modifiedAt === null }
  return new Promise((resolve, reject) => {
    current.stop = () => reject(new NobodyReads())
    zip.addReadStreamLazy(name, { ...time, compress, mode: 0o100644 }, (give) => {
      const content = Readable.from(bytesOf(entry.open()), { objectMode: false })
      current.stop = () => {
        content.destroy()
        reject(new NobodyReads())
      }
      finished(content).then(resolve, reject)
      give(null, content)
    })
  })
}

async function* bytesOf(content: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  for await (const part of content) yield typeof part === 'string' ? Buffer.from(part) : part
}
