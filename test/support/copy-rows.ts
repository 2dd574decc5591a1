/** COPY into a table over a `pg` connection: the fast way to insert millions of rows. */
import { once } from 'node:events'
import type { Client, Connection } from 'pg'
import { Query } from 'pg'

export type Cell = string | number | boolean | null

const chunkCharacters = 256 * 1024
const headerBytes = 5

/**
 * Sends the rows while they are generated. Returns their number. Frozen rows need no vacuum, but a table that
 * was created or emptied in the same transaction.
 */
export async function copyRows(
  client: Client,
  { table, columns, isFrozen }: { table: string; columns: readonly string[]; isFrozen: boolean },
  rows: Iterable<readonly Cell[]>,
): Promise<number> {
  const how = isFrozen ? ' with (freeze)' : ''
  const sender = new RowSender(`copy ${table} (${columns.join(', ')}) from stdin${how}`, rows)
  await new Promise<void>((resolve, reject) => {
    sender.on('end', () => resolve())
    sender.on('error', reject)
    client.query(sender)
  })
  return sender.sent
}

/** A query that sends rows when the server is ready for them, which `pg` itself does not support. */
class RowSender extends Query {
  sent = 0
  readonly #rows: Iterable<readonly Cell[]>

  constructor(text: string, rows: Iterable<readonly Cell[]>) {
    super(text)
    this.#rows = rows
  }

  handleCopyInResponse({ stream }: Connection): void {
    this.#send(stream).catch((error: unknown) => stream.destroy(asError(error)))
  }

  async #send(stream: Connection['stream']): Promise<void> {
    let text = ''
    const flush = async () => {
      // Without the wait all rows of a table would be in memory.
      if (!stream.write(message('d', text))) await once(stream, 'drain')
      text = ''
    }
    for (const row of this.#rows) {
      text += lineOf(row)
      this.sent += 1
      if (text.length > chunkCharacters) await flush()
    }
    await flush()
    stream.write(message('c', ''))
  }
}

function message(kind: 'c' | 'd', text: string): Buffer {
  const bytes = Buffer.alloc(headerBytes + Buffer.byteLength(text))
  bytes.write(kind, 0, 'latin1')
  bytes.writeInt32BE(bytes.length - 1, 1)
  bytes.write(text, headerBytes)
  return bytes
}

function lineOf(row: readonly Cell[]): string {
  let line = ''
  for (const cell of row) line += `${textOf(cell)}\t`
  return `${line.slice(0, -1)}\n`
}

function textOf(cell: Cell): string {
  if (cell === null) return '\\N'
  if (typeof cell !== 'string') return String(cell)
  return /[\\\n\r\t]/.test(cell)
    ? cell.replace(/[\\\n\r\t]/g, (character) => escapes[character] ?? '')
    : cell
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
