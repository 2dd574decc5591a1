/** Generates random values that match a JSON schema of our OpenAPI document. */
import type { Random } from './fault.ts'

export type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly format?: string
  readonly default?: unknown
}

export type Sampler = (schema: Schema | undefined) => unknown

const deepest = 6

export function createSampler(schemas: Readonly<Record<string, Schema>>, random: Random): Sampler {
  function sample(schema: Schema, depth: number): unknown {
    const named = schema.$ref?.split('/').at(-1)
    const meant = named === undefined ? schema : (schemas[named] ?? {})
    if (meant.const !== undefined) return meant.const
    if (meant.enum) return random.pick(meant.enum)
    const choices = meant.anyOf ?? meant.oneOf
    if (choices) return sample(random.pick(choices), depth + 1)
    if (meant.allOf) return Object.assign({}, ...meant.allOf.map((part) => sample(part, depth + 1)))
    const type = typeof meant.type === 'string' ? meant.type : random.pick(meant.type ?? ['string'])
    return ofType(type, meant, depth)
  }

  function ofType(type: string, schema: Schema, depth: number): unknown {
    if (type === 'object') return sampleObject(schema, depth)
    if (type === 'array') return sampleArray(schema, depth)
    if (type === 'integer' || type === 'number') return sampleNumber(schema)
    if (type === 'boolean') return random.fraction() < 0.5
    if (type === 'null') return null
    return sampleText(schema)
  }

  function sampleObject({ properties = {}, required = [] }: Schema, depth: number) {
    const chosen = Object.entries(properties).filter(
      ([name]) => required.includes(name) || (depth < deepest && random.fraction() < 0.5),
    )
    return Object.fromEntries(chosen.map(([name, inner]) => [name, sample(inner, depth + 1)]))
  }

  function sampleArray({ items = {}, minItems = 0, maxItems = 4 }: Schema, depth: number) {
    const max = Math.max(minItems, Math.min(maxItems, depth > deepest ? 0 : 4))
    return Array.from({ length: random.between(minItems, max) }, () => sample(items, depth + 1))
  }

  function sampleNumber({ minimum = 0, maximum = 100 }: Schema): number {
    const [min, max] = [Math.max(minimum, -1000), Math.min(maximum, 1000)]
    return random.between(min, Math.max(min, max))
  }

  function sampleText({ format, minLength = 0, maxLength = 40 }: Schema): string {
    if (format === 'uri') return 'https://example.test/a.jpg'
    if (format === 'uuid') return '6f1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d'
    if (format === 'date') return '1990-01-01'
    if (format === 'email') return `a${random.between(1, 9999)}@example.test`
    const length = random.between(minLength, Math.max(minLength, Math.min(maxLength, 40)))
    return 'a1b2c3d4e5f6g7h8'.repeat(Math.ceil(length / 16) + 1).slice(0, Math.max(1, length))
  }

  return (schema) => (schema ? sample(schema, 0) : undefined)
}
