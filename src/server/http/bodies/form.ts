/**
 * Reads multipart/form-data part by part as it arrives. A file is a stream with a size limit. A reader that
 * stops early leaves nothing waiting.
 */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy'
import { Busboy } from '@fastify/busboy'
import type { Endpoint, Form } from '../../../contract/endpoint.ts'
import type { Failure } from '../../../contract/failure.ts'
import { problems } from '../../../contract/problems.ts'
import { Problem, problem } from '../problem.ts'
import { isStorable } from '../storable-text.ts'
import { parseInput } from '../validation.ts'
import type { BodyShare } from './body-memory.ts'
import { stalledEvent } from './body-pace.ts'

export type FormPart =
  | { readonly kind: 'field'; readonly name: string; readonly value: string }
  | ({ readonly kind: 'file'; readonly name: string } & FilePart)

export type FilePart = {
  readonly fileName: string
  readonly mimeType: string
  /** Fails with FileTooLarge when the limit is exceeded. */
  readonly content: AsyncIterable<Uint8Array>
}

/** A form that was read completely. A file above its limit has no bytes. */
export type FormRead<Fields = unknown> = {
  readonly fields: Fields
  readonly file: FileRead | null
}

export type FileRead = Omit<FilePart, 'content'> & {
  readonly bytes: Buffer
  readonly isTooLarge: boolean
}

export class FileTooLarge extends Error {
  override name = 'FileTooLarge'
}

/** The maximum size of a form without its file, with a margin. */
const maxOverheadBytes = 4 * 1024 * 1024

const limits = { files: 1, fields: 20, parts: 21, fieldSize: 65_536, headerPairs: 50 }

export function isMultipart(request: IncomingMessage): boolean {
  return /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')
}

/** Yields the parts in their order. A file must be read before the next part is available. */
export async function* readForm(
  request: IncomingMessage,
  { maxFileBytes, signal }: { readonly maxFileBytes: number; readonly signal?: AbortSignal },
): AsyncGenerator<FormPart> {
  const parser = openParser(request, maxFileBytes)
  const isTooLarge = Number(request.headers['content-length']) > maxFileBytes + maxOverheadBytes
  const parts = new Readable({ objectMode: true, read() {} })
  let current: BusboyFileStream | undefined
  const fail = (error: Error) => {
    current?.destroy(error)
    parts.destroy(error)
  }
  const noticeEnd = () => {
    if (!request.complete) fail(unreadable('The upload was interrupted'))
  }
  const giveUp = () => fail(unreadable('The upload has stalled'))
  const letGo = () => fail(signal?.reason)
  parser
    .on('field', (name, value) => void parts.push({ kind: 'field', name, value }))
    .on('file', (name, stream, fileName, _encoding, mimeType) => {
      current = stream
      // A reader of the stream gets the error. Without a reader, the error must not end the process.
      stream.on('error', () => {})
      stream.on('limit', () => stream.destroy(tooLarge()))
      if (isTooLarge) stream.destroy(tooLarge())
      parts.push({
        kind: 'file',
        name,
        fileName: unescapeQuotes(fileName ?? ''),
        mimeType,
        content: contentOf(stream),
      })
    })
    .on('finish', () => void parts.push(null))
    .on('error', () => fail(unreadable('The form cannot be read')))
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    parser.on(limit, () => fail(unreadable('The form has too many parts')))
  request.on('close', noticeEnd).once(stalledEvent, giveUp).pipe(parser)
  signal?.addEventListener('abort', letGo)
  // The request may have been aborted before the listener was added.
  if (request.destroyed) noticeEnd()
  try {
    for await (const part of parts) {
      const { name, fileName = '', value = '' } = part as Record<string, string>
      if (!isStorable([name, fileName, value]))
        throw unreadable('The form contains characters that cannot be stored')
      yield part as FormPart
    }
  } finally {
    request.off('close', noticeEnd).off(stalledEvent, giveUp)
    signal?.removeEventListener('abort', letGo)
    request.unpipe(parser)
    // The unread rest is read and dropped, so that the client can read the response.
    request.resume()
  }
}

/** Reads a form whose file fits in memory, and validates its fields. */
export async function readWholeForm(
  request: IncomingMessage,
  endpoint: Endpoint,
  form: Form & { readonly inMemoryMaxBytes: number },
  memory: BodyShare | null,
): Promise<FormRead> {
  const fields: Record<string, string> = {}
  let file: FileRead | null = null
  const limits = {
    maxFileBytes: form.inMemoryMaxBytes,
    ...(memory && { signal: memory.signal }),
  }
  if (isMultipart(request))
    for await (const part of readForm(request, limits)) {
      if (part.kind === 'field') fields[part.name] = part.value
      else {
        const { fileName, mimeType, content, name } = part
        const read = await readBytes(content, memory)
        if (name === form.file) file = { fileName, mimeType, ...read }
        // The rest is not read: it may never end.
        if (read.isTooLarge) break
      }
    }
  await memory?.beginWork()
  const invalid = endpoint.invalid ?? problems.validationFailed
  // Fields after a file that is too large are not read, so they are not reported as missing.
  const complaint = (file?.isTooLarge && tooLargeOf(endpoint)) || invalid
  return { fields: parseInput(form.fields, fields, complaint), file }
}

/** Yields the bytes of a file. Replaces the parser's own error for a form that ends inside the file. */
async function* contentOf(stream: BusboyFileStream): AsyncGenerator<Uint8Array> {
  try {
    // The stream yields bytes, because no encoding is set.
    yield* stream as AsyncIterable<Uint8Array>
  } catch (error) {
    if (error instanceof Problem || error instanceof FileTooLarge) throw error
    throw unreadable('The form cannot be read')
  }
}

/** Returns the endpoint's own failure for a file above its limit, if it declares one. */
export function tooLargeOf({ failures }: Endpoint): Failure | null {
  return failures.find(({ fixed }) => fixed['code'] === 'FILE_TOO_LARGE') ?? null
}

async function readBytes(content: AsyncIterable<Uint8Array>, memory: BodyShare | null) {
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of content) {
      chunks.push(chunk)
      await memory?.take(chunk.length)
    }
  } catch (error) {
    if (error instanceof FileTooLarge) return { bytes: Buffer.alloc(0), isTooLarge: true }
    throw error
  }
  return { bytes: Buffer.concat(chunks), isTooLarge: false }
}

/**
 * Restores quotation marks, which browsers send as %22: a quotation mark would end the name in the part's
 * header. Encoded line breaks stay as they are: no name contains them.
 */
function unescapeQuotes(fileName: string): string {
  return fileName.replaceAll('%22', '"')
}

function openParser(request: IncomingMessage, maxFileBytes: number): BusboyInstance {
  const contentType = request.headers['content-type'] ?? ''
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': contentType },
      // A name with a path must be visible to be refused, instead of silently shortened.
      preservePath: true,
      limits: { ...limits, fileSize: maxFileBytes },
    })
  } catch {
    throw unreadable('The form has no boundary')
  }
}

function tooLarge() {
  return new FileTooLarge('The file is larger than its limit')
}

function unreadable(message: string) {
  return problem.badRequest({ message })
}
