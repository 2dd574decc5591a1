/** Generates the largest JSON that a schema accepts, in several styles. */
import type { Schema } from './schema-sampler.ts'

/** The contents of long texts: some take longer to process than others. */
export const textStyles = {
  letters: 'a',
  blanks: ' ',
  addresses: 'https://pictures.example/-v0-a/b.jpg?utm_a=1&amp;utm_b=2,',
  marks: '-v0-<a@[(,;',
} as const

export type TextStyle = keyof typeof textStyles
/** Lists of many short items, or of fewer long ones. */
export type ListStyle = 'many' | 'long'

const deepest = 6
const shortItem = 40

export function largestBody(
  schemas: Readonly<Record<string, Schema>>,
  schema: Schema,
  style: { readonly text: TextStyle; readonly list: ListStyle; readonly bytes: number },
): unknown {
  function fill(schema: Schema, room: number, depth: number): unknown {
    const named = schema.$ref?.split('/').at(-1)
    const meant = named === undefined ? schema : (schemas[named] ?? {})
    if (meant.const !== undefined) return meant.const
    if (meant.enum) return meant.enum[0]
    const choice = (meant.anyOf ?? meant.oneOf)?.[0]
    if (choice) return fill(choice, room, depth + 1)
    if (meant.allOf)
      return Object.assign({}, ...meant.allOf.map((part) => fill(part, room, depth + 1)))
    const type = typeof meant.type === 'string' ? meant.type : (meant.type?.[0] ?? 'string')
    if (type === 'object') return fillObject(meant, room, depth)
    if (type === 'array') return fillArray(meant, room, depth)
    if (type === 'integer' || type === 'number') return meant.maximum ?? 100
    if (type === 'boolean') return true
    if (type === 'null') return null
    return fillText(meant, room)
  }

  function fillObject({ properties = {} }: Schema, room: number, depth: number) {
    if (depth > deepest) return {}
    const entries = Object.entries(properties)
    const each = Math.floor(room / Math.max(1, entries.length))
    return Object.fromEntries(entries.map(([name, inner]) => [name, fill(inner, each, depth + 1)]))
  }

  function fillArray({ items = {}, maxItems = Infinity }: Schema, room: number, depth: number) {
    const longItem = Math.max(shortItem, Math.floor(room / Math.min(maxItems, 100)))
    const item = fill(items, style.list === 'many' ? shortItem : longItem, depth + 1)
    const bytes = JSON.stringify(item).length + 1
    return Array.from({ length: Math.min(maxItems, Math.floor(room / bytes)) }, () => item)
  }

  function fillText({ format, maxLength = Infinity, minLength = 0 }: Schema, room: number) {
    if (format === 'email') return 'somebody@example.test'
    if (format === 'date') return '1990-01-01'
    if (format === 'uuid') return '6f1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d'
    const length = Math.max(minLength, Math.min(maxLength, room))
    const unit = textStyles[style.text]
    return unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
  }

  return fill(schema, style.bytes, 0)
}
