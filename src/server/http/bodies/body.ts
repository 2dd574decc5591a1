/**
 * Reads request bodies: strict JSON in UTF-8, or the fields of a form. Nothing is read before the request
 * has passed its checks. A compressed body is limited by its decompressed size.
 */
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import type { Failure } from '../../../contract/failure.ts'
import { hasTooManyParts, maxJsonParts } from '../../platform/json-parts.ts'
import { Problem, problem } from '../problem.ts'
import { isStorable, mayContainUnstorable } from '../storable-text.ts'
import type { BodyShare } from './body-memory.ts'
import { hasBody, stalledEvent } from './body-pace.ts'

export type BodyLimits = {
  readonly maxBytes: number
  readonly tooLarge: Failure
  /** The share of memory for a large body, or null for a small one. */
  readonly memory: BodyShare | null
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text, the parsed value and the value from the schema. */
const timesInMemory = 3

/** Leaves the listed kinds of bodies unread for `readBody` and `readForm`. Other kinds are refused. */
export function skipBodyParsing(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
    (_request, _payload, done) => done(null),
  )
}

export function isUrlEncoded({ headers }: IncomingMessage): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')
}

/** Reads a body. An empty body counts as none: some clients always send a content type. */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<unknown> {
  if (!hasBody(request)) return undefined
  const bytes = await readBytes(request, limits)
  await limits.memory?.beginWork({ times: timesInMemory })
  if (bytes.length === 0) return undefined
  return isUrlEncoded(request) ? parseForm(bytes) : parseJson(bytes)
}

function readBytes(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const { maxBytes, tooLarge, memory } = limits
  const refusal = () => new Problem(tooLarge, { message: 'The body is too large' })
  // The unread rest is read and dropped after the response, so that the client can read the response.
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.reject(refusal())
  const content = unpacked(request)
  const read = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let size = 0
  const take = (chunk: Buffer) => {
    size += chunk.length
    if (size > maxBytes) return read.reject(refusal())
    chunks.push(chunk)
    if (!memory) return
    content.pause()
    memory.take(chunk.length).then(() => content.resume(), read.reject)
  }
  const fail = () => read.reject(problem.badRequest({ message: 'The body could not be read' }))
  const giveUp = () => read.reject(problem.badRequest({ message: 'The upload has stalled' }))
  const letGo = () => read.reject(memory?.signal.reason)
  content
    .on('data', take)
    .on('end', () => read.resolve(Buffer.concat(chunks, size)))
    .on('error', fail)
  request.on('error', fail).once(stalledEvent, giveUp)
  memory?.signal.addEventListener('abort', letGo)
  return read.promise.finally(() => {
    request.off(stalledEvent, giveUp)
    memory?.signal.removeEventListener('abort', letGo)
    content.off('data', take)
    if (content === request) return void request.resume()
    request.unpipe()
    request.resume()
    content.destroy()
  })
}

/** Returns the body, decompressed if needed. */
function unpacked(request: IncomingMessage): Readable {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  switch (encoding) {
    case 'identity':
      return request
    case 'gzip':
    case 'x-gzip':
      return request.pipe(createGunzip())
    case 'deflate':
      return request.pipe(createInflate())
    case 'br':
      return request.pipe(createBrotliDecompress())
    default:
      throw problem.unsupportedMediaType({ message: 'The content encoding is not supported' })
  }
}

function parseJson(body: Buffer): unknown {
  if (hasTooManyParts(body))
    throw problem.badRequest({ message: `The body has more than ${maxJsonParts} values` })
  const text = decode(body)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw problem.badRequest({ message: 'The body is not valid JSON' })
  }
  if (mayContainUnstorable(text) && !isStorable(value)) throw unstorable()
  return value
}

function parseForm(body: Buffer): Record<string, string> {
  const fields = Object.fromEntries(new URLSearchParams(decode(body)))
  if (!isStorable(fields)) throw unstorable()
  return fields
}

function decode(body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch {
    throw problem.badRequest({ message: 'The body is not valid UTF-8' })
  }
}

function unstorable() {
  return problem.badRequest({ message: 'The body contains characters that cannot be stored' })
}
