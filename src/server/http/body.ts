/** How request bodies are read: strict JSON in UTF-8, or the fields of a form. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { problem } from '../problem.ts'
import { isStorable, mayHoldUnstorable } from './storable-text.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => parseJson(body),
  )
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => parseForm(body),
  )
  // Left on the wire for whoever takes files to read, and refused by whoever does not.
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null))
}

/** An empty body is no body: clients name a content type out of habit. */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined
  const text = decode(body)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw problem.badRequest({ message: 'The body is not valid JSON' })
  }
  if (mayHoldUnstorable(text) && !isStorable(value)) throw unstorable()
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
  return problem.badRequest({ message: 'The body holds characters that cannot be stored' })
}
