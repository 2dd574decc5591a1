/**
 * The columns of a slide: the one list that its types, rows and SQL are made of. A column that is
 * added here is inserted, copied into snapshots, published, saved and, where the contract's `slide`
 * names it, told.
 */
import type { z } from 'zod'
import { slide as toldSlide } from '../../../../contract/session-records.ts'
import type { credit as creditShape } from '../../../../contract/sources.ts'

type Column<Name extends string, Value> = {
  readonly name: Name
  /** What a slide has of which nothing else is known. */
  readonly unknown: Value
}
/** By the names that they have in TypeScript and on the wire. */
type Columns = Readonly<Record<string, Column<string, unknown>>>

/** A slide as TypeScript has it. */
export type ValuesOf<C extends Columns> = { readonly [Key in keyof C]: C[Key]['unknown'] }

/** A slide as its table has it. */
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

/** What a slide of a session says, and its copy in the community too. */
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

/** Of `session_media`. */
export const slideColumns = {
  ...addresses,
  ...described,
  vaultMediaId: integer('vault_media_id'),
  ownFileKey: text('own_file_key'),
  ownThumbnailKey: text('own_thumbnail_key'),
  perceptualHashes: texts('perceptual_hashes'),
} as const

/** Of `session_media`: what a session's snapshot holds. */
export const snapshotColumns = { ...addresses, ...described } as const

/** Of `community_session_media`. */
export const publishedSlideColumns = {
  fileKey: requiredText('file_key'),
  thumbnailKey: text('thumbnail_key'),
  ...described,
  perceptualHashes: texts('perceptual_hashes'),
} as const

export type Slide = ValuesOf<typeof slideColumns>

/** What is left out is unknown. */
export type NewSlide = Pick<Slide, 'mediaUrl' | 'type'> & Partial<Slide>

export type SnapshotSlide = ValuesOf<typeof snapshotColumns>

/** `media_url, thumbnail, …` */
export function columnNames(columns: Columns): string {
  return Object.values(columns)
    .map(({ name }) => name)
    .join(', ')
}

/**
 * Rows of a table as JSON, each at its position or at its place in the list: one parameter however
 * many, so that the statement is the same each time.
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

/** `m.media_url as "mediaUrl", …` */
export function selectList(columns: Columns): string {
  return Object.entries(columns)
    .map(([key, { name }]) => `m.${name} as "${key}"`)
    .join(', ')
}

type ToldKey = keyof typeof toldSlide.shape
/** The columns that a list lacks of the contract's `slide`. */
export type Lacking<C extends Columns> = Readonly<Record<Exclude<ToldKey, keyof C>, string>>

/** The contract's `slide`, of columns and of other expressions instead of them, as far as they go. */
export function toldList(columns: Columns, others: Partial<Record<ToldKey, string>>): string {
  const named = Object.entries(columns).map(([key, { name }]) => [key, `m.${name}`] as const)
  const expressions = new Map([...named, ...Object.entries(others)])
  return Object.keys(toldSlide.shape)
    .flatMap((key) => (expressions.has(key) ? [`${expressions.get(key)} as "${key}"`] : []))
    .join(', ')
}

/** A column by what it is unknown as, which tells its type. */
function columnOf<Value>(unknown: Value) {
  return <Name extends string>(name: Name): Column<Name, Value> => ({ name, unknown })
}
