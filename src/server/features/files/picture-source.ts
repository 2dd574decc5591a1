/** The bytes of a picture that a caller names by a data URI or an address. */
import type { Context } from '../../context.ts'
import { freeBytes } from '../../platform/storage/free-bytes.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { openMediaSource, SourceRefused } from './media-source.ts'

export type SourceRead = {
  readonly bytes: Buffer
  /** The stored file, if it is one. Derived files record it as their origin. */
  readonly file: FileAddress | null
}

/** Reads the picture. Fails with SourceRefused. */
export async function readPictureSource(
  ctx: Context,
  address: string,
  { maxBytes }: { readonly maxBytes: number },
): Promise<SourceRead> {
  if (address.startsWith('data:')) return { bytes: decodeDataUri(address, maxBytes), file: null }
  const { content, file } = await openMediaSource(ctx, address, { maxBytes })
  const chunks: Uint8Array[] = []
  for await (const chunk of content) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  chunks.forEach(freeBytes)
  return { bytes, file }
}

const dataUriHead = /^data:[\w.+-]+\/[\w.+-]+(?:;[\w.+-]+=[\w.+-]+)*;base64,/

function decodeDataUri(uri: string, maxBytes: number): Buffer {
  const [head] = dataUriHead.exec(uri) ?? []
  if (head === undefined) throw new SourceRefused('address')
  // Four characters encode three bytes, so check the size before decoding.
  if (((uri.length - head.length) / 4) * 3 > maxBytes + 2) throw new SourceRefused('too-large')
  const bytes = Buffer.from(uri.slice(head.length), 'base64')
  if (bytes.length > maxBytes) throw new SourceRefused('too-large')
  return bytes
}
