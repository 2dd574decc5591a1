/**
 * The columns of a slide. Types, rows and SQL are all made from this list. A new column is
 * automatically inserted, copied into snapshots, published and saved. It is part of responses if the
 * contract's `slide` has it.
 */
import type { z } from 'zod'
import { slide as slideResponse } from '../../../../contract/session-records.ts'
import type { credit as creditShape } from '../../../../contract/sources.ts'

type Column<Name extends string, Value> = {
  readonly name: Name
  /** The default value, if nothing is known. */
  readonly unknown: Value
}
/** Columns by their names in TypeScript and on the wire. */
type Columns = Readonly<Record<string, Column<string, unknown>>>

/** A slide in TypeScript. */
export type ValuesOf<C extends Columns> = { readonly [Key in keyof C]: C[Key]['unknown'] }

/** A slide's row in its table. */
export type ColumnsOf<C extends Columns> = {
  [Key in keyof C as C[Key]['name']]: C[Key]['unknown']
}

const text = columnOf<string | null>(null)
const requiredText = columnOf<string>('')
const integer = columnOf<number | null>(null)
const flag = columnOf<boolean>(false)
const texts = columnOf<readonly string[]>([])
const credit = columnOf<z.output<typeof creditShape> | null>(null)
const focus = columnOf<{ readonly x: number; readonly y: number } | null>(null)
const mediaType = columnOf<'image' | 'gif' | 'video'>('image')

/** The description of a slide, in a session and in its copy in the community. */
const described = {
  caption: text('caption'),
  captionIsAi: flag('caption_is_ai'),
  type: mediaType('type'),
  title: text('title'),
  feedPostId: text('feed_post_id'),
  feedPostUrl: text('feed_post_url'),
  subfeed: text('subfeed'),
  alt: text('alt'),
  credit: credit('credit'),
  authorFocus: focus('author_focus'),
  width: integer('width'),
  height: integer('height'),
  durationMs: integer('duration_ms'),
  nsfw: flag('nsfw'),
} as const

const addresses = {
  mediaUrl: requiredText('media_url'),
  thumbnail: text('thumbnail'),
} as const

/** Columns of `session_media`. */
export const slideColumns = {
  ...addresses,
  ...described,
  vaultMediaId: integer('vault_media_id'),
  ownFileKey: text('own_file_key'),
  ownThumbnailKey: text('own_thumbnail_key'),
  perceptualHashes: texts('perceptual_hashes'),
} as const

/** Columns of `session_media` that a session's snapshot contains. */
export const snapshotColumns = { ...addresses, ...described } as const

/** Columns of `community_session_media`. */
export const publishedSlideColumns = {
  fileKey: requiredText('file_key'),
  thumbnailKey: text('thumbnail_key'),
  ...described,
  perceptualHashes: texts('perceptual_hashes'),
} as const

export type Slide = ValuesOf<typeof slideColumns>

/** A slide to insert. Columns that are left out get their defaults. */
export type NewSlide = Pick<Slide, 'mediaUrl' | 'type'> & Partial<Slide>

export type SnapshotSlide = ValuesOf<typeof snapshotColumns>

/** Returns `media_url, thumbnail, …`. */
export function columnNames(columns: Columns): string {
  return Object.values(columns)
    .map(({ name }) => name)
    .join(', ')
}

/**
 * Returns rows of a table as JSON, each at its own position or its index in the list. The JSON is one
 * parameter for any number of rows, so the statement text is always the same.
 */
export function rowsJson(
  columns: Columns,
  slides: readonly Readonly<Record<string, unknown>>[],
): string {
  const entries = Object.entries(columns)
  const rows = slides.map((slide, index) => {
    const values = entries.map(([key, { name, unknown }]) => [name, slide[key] ?? unknown])
    return { position: slide['position'] ?? index, ...Object.fromEntries(values) }
  })
  return JSON.stringify(rows)
}

/** Returns `m.media_url as "mediaUrl", …`. */
export function selectList(columns: Columns): string {
  return Object.entries(columns)
    .map(([key, { name }]) => `m.${name} as "${key}"`)
    .join(', ')
}

type ResponseKey = keyof typeof slideResponse.shape
/** The fields of the contract's `slide` that are missing in a list of columns. */
export type Lacking<C extends Columns> = Readonly<Record<Exclude<ResponseKey, keyof C>, string>>

/**
 * Returns the select list of the contract's `slide`. `others` are expressions that replace or add
 * columns.
 */
export function responseColumns(
  columns: Columns,
  others: Partial<Record<ResponseKey, string>>,
): string {
  const named = Object.entries(columns).map(([key, { name }]) => [key, `m.${name}`] as const)
  const expressions = new Map([...named, ...Object.entries(others)])
  return Object.keys(slideResponse.shape)
    .flatMap((key) => (expressions.has(key) ? [`${expressions.get(key)} as "${key}"`] : []))
    .join(', ')
}

/** Makes a column from its default value, which also gives its type. */
function columnOf<Value>(unknown: Value) {
  return <Name extends string>(name: Name): Column<Name, Value> => ({ name, unknown })
}
