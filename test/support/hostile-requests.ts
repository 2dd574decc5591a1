/**
 * Requests generated from our own OpenAPI document. Some are valid; most have an invalid path, query, header,
 * body or transfer of the body.
 */
import { gzipSync } from 'node:zlib'
import type { Random } from './fault.ts'
import type { HostileValues } from './hostile-values.ts'
import type { Sampler, Schema } from './schema-sampler.ts'
import { boundary } from './vault-world.ts'

type Parameter = { readonly name: string; readonly in: string; readonly schema: Schema }

export type Operation = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly statuses: readonly number[]
  readonly parameters: readonly Parameter[]
  readonly body: Schema | undefined
  readonly form: Schema | undefined
}

export type HostileRequest = {
  readonly operation: Operation
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: Buffer | undefined
}

type Document = {
  readonly paths: Record<string, Record<string, DescribedOperation>>
  readonly components: { readonly schemas: Record<string, Schema> }
}

type DescribedOperation = {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> }
  readonly responses: Record<string, unknown>
}

export function readOperations({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      id: described.operationId,
      method: method.toUpperCase(),
      path,
      statuses: Object.keys(described.responses).map(Number),
      parameters: described.parameters ?? [],
      body: described.requestBody?.content['application/json']?.schema,
      form: described.requestBody?.content['multipart/form-data']?.schema,
    })),
  )
}

export type { Document as ApiDocument }

export function createRequestMaker(random: Random, sample: Sampler, hostile: HostileValues) {
  const chance = (share: number) => random.fraction() < share
  const either = (fitting: unknown) => (chance(0.4) ? hostile.value() : fitting)

  function path({ path: template, parameters }: Operation): string {
    const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const { schema } = parameters.find((one) => one.name === name) ?? {}
      const text = chance(0.5) ? String(random.between(1, 50)) : textOf(either(sample(schema)))
      return chance(0.9) ? encoded(text) : raw(text)
    })
    const query = parameters
      .filter((parameter) => parameter.in === 'query' && chance(0.6))
      .map(({ name, schema }) => `${name}=${encoded(textOf(either(sample(schema))))}`)
    if (chance(0.1)) query.push(`${raw(hostile.text())}=${raw(hostile.text())}`)
    return `${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`.slice(0, 12_000)
  }

  function json(schema: Schema): Buffer {
    if (chance(0.15)) return hostile.body()
    const value = sample(schema)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const fields: Record<string, unknown> = { ...value }
      for (const name of Object.keys(fields)) if (chance(0.25)) fields[name] = hostile.value()
      if (chance(0.1)) fields[hostile.text()] = hostile.value()
      return Buffer.from(JSON.stringify(fields))
    }
    return Buffer.from(JSON.stringify(either(value)) ?? 'null')
  }

  function form(schema: Schema): Buffer {
    const parts: Buffer[] = []
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (chance(0.2)) continue
      const isFile = property.format === 'binary' || name === 'file' || name === 'image'
      const file = isFile ? `; filename="${raw(hostile.fileName(), 'form')}"` : ''
      const type = isFile ? '\r\ncontent-type: image/png' : ''
      parts.push(
        Buffer.from(
          `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${file}${type}\r\n\r\n`,
          'latin1',
        ),
        isFile ? hostile.body() : Buffer.from(textOf(either(sample(property)))),
        Buffer.from('\r\n'),
      )
    }
    return Buffer.concat([...parts, Buffer.from(chance(0.9) ? `--${boundary}--\r\n` : '')])
  }

  function content(operation: Operation): Pick<HostileRequest, 'body' | 'headers'> {
    const { body, form: fields } = operation
    const headers: Record<string, string> = {}
    if (!body && !fields)
      return chance(0.1) ? { body: hostile.body(), headers } : { body: undefined, headers }
    const isForm = fields !== undefined && (!body || chance(0.5))
    let bytes = isForm ? form(fields) : json(body ?? {})
    headers['content-type'] = isForm
      ? `multipart/form-data; boundary=${boundary}`
      : 'application/json'
    if (chance(0.03)) headers['content-type'] = header(hostile.text())
    if (chance(0.03)) bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), bytes])
    if (chance(0.05)) {
      headers['content-encoding'] = random.pick(['gzip', 'br', 'deflate', 'x', 'gzip, gzip'])
      if (chance(0.5)) bytes = gzipSync(bytes)
    }
    return { body: bytes, headers }
  }

  return (operation: Operation): HostileRequest => {
    const { body, headers } = content(operation)
    if (chance(0.05)) headers['idempotency-key'] = header(hostile.text())
    if (chance(0.03)) headers['range'] = header(hostile.text())
    if (chance(0.03)) headers['x-forwarded-for'] = header(hostile.text())
    if (chance(0.02)) headers['last-event-id'] = header(hostile.text())
    if (chance(0.02)) headers['if-none-match'] = header(hostile.text())
    if (chance(0.02)) headers['accept-encoding'] = header(hostile.text())
    if (chance(0.02)) headers['accept'] = header(hostile.text())
    return { operation, path: path(operation), headers, body }
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '')
}

/** Encodes as a correct client does. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** Removes the characters that a request line, or the head of a form part, cannot contain. */
function raw(text: string, place: 'line' | 'form' = 'line'): string {
  return place === 'form'
    ? text.replaceAll(/["\r\n]/g, '_')
    : text.replaceAll(/[^\u0021-\u007e]/g, '').replaceAll(/[?#]/g, '')
}

function header(text: string): string {
  return text.replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, '').slice(0, 2000)
}
