/**
 * A zip that is made while it is sent: one entry is opened at a time and only as fast as it is taken,
 * so that an archive of any size costs the memory of a few chunks. A client that goes away ends the reading.
 */
import { PassThrough, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

export type ArchiveEntry = {
  readonly name: string
  /** Null for an archive that is to be the same whenever and wherever it is made. */
  readonly modifiedAt: Date | null
  /** False for what is compressed already, as pictures are. */
  readonly compress: boolean
  /** Called when its turn has come. */
  readonly open: () => AsyncIterable<Uint8Array | string>
}

// In local time, as the format wants it, so that it is the same all over the world.
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

/** Ends whatever is being read. */
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
