/**
 * What manifest.json says: one form for a single session and for a whole library. It names no account,
 * no code and no signed address. docs/archive-format.md explains it to people.
 */
import { z } from 'zod'
import { captionThemes, transitions } from '../../../contract/session-records.ts'
import { subfeedList } from '../../../contract/values.ts'

export const manifestName = 'manifest.json'
export const manifestFormat = 'lanternist'
export const manifestVersion = 1

const mostSlides = 500
const mostSessions = 5000
const mostVaultFiles = 20_000

/** Counted before its items are looked at, so that a long list costs nothing. */
const listOf = <T extends z.ZodType>(item: T, most: number) =>
  z.array(z.unknown()).max(most).pipe(z.array(item))

/** Plain enough to survive any program that packs the archive anew. */
const entryName = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*(\/[A-Za-z0-9][A-Za-z0-9_-]*)*\.[a-z0-9]{1,5}$/)

const storedFile = z.strictObject({
  name: entryName,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  size: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
})

/** Why a file is not in the archive. */
export const missingReasons = ['gone', 'unreachable', 'too-large', 'not-media', 'withheld'] as const

const webAddress = z
  .string()
  .max(4000)
  .regex(/^https?:\/\//)

const shortText = z.string().max(2000)
const pixels = z.int().min(1).max(1_000_000)

/** Either the file, or why there is none, with its address where it is another site's. */
const media = {
  file: storedFile.nullable(),
  url: webAddress.nullable(),
  missing: z.enum(missingReasons).nullable(),
}

/** Whose work it is, under which terms, and where it comes from. */
const credit = z.strictObject({
  author: shortText.nullable(),
  licence: z.strictObject({ name: shortText, url: webAddress.nullable() }).nullable(),
  url: webAddress.nullable(),
})

const slide = z.strictObject({
  type: z.enum(['image', 'gif', 'video']),
  ...media,
  caption: shortText.nullable(),
  captionIsAi: z.boolean(),
  durationMs: z.int().min(100).max(3_600_000).nullable(),
  title: shortText.nullable(),
  feedPostId: z.string().max(500).nullable(),
  feedPostUrl: z.string().max(4000).nullable(),
  subfeed: z.string().max(2100).nullable(),
  /** Left out where there is none, so that sites which know of neither can read it. */
  alt: shortText.optional(),
  credit: credit.optional(),
  width: pixels.nullable(),
  height: pixels.nullable(),
  nsfw: z.boolean(),
})

const session = z
  .strictObject({
    title: z.string().trim().min(1).max(200),
    subfeeds: listOf(z.string().max(2100), 20).refine(areSubfeeds),
    /** The slug of a category that somebody chose. */
    category: z.string().max(120).nullable(),
    intervalMin: z.int().min(1).max(60),
    intervalMax: z.int().min(1).max(60),
    transition: z.enum(transitions),
    aiPrompt: z.string().max(2000).nullable(),
    captionTheme: z.enum(captionThemes).nullable(),
    isManualMode: z.boolean(),
    isFavorite: z.boolean(),
    tags: listOf(z.string().max(120), 20),
    nsfw: z.boolean(),
    /** The picture that somebody chose for it. */
    cover: storedFile.nullable(),
    slides: listOf(slide, mostSlides),
  })
  .refine(({ intervalMin, intervalMax }) => intervalMin <= intervalMax)

const vaultFile = z.strictObject({
  name: z.string().max(255),
  originalName: z.string().max(255),
  source: z.enum(['general', 'upload', 'smart-caption', 'babecock', 'hypnococks']),
  caption: shortText.nullable(),
  subfeed: z.string().max(400).nullable(),
  file: storedFile.nullable(),
  missing: z.enum(missingReasons).nullable(),
})

export const manifest = z.strictObject({
  format: z.literal(manifestFormat),
  version: z.literal(manifestVersion),
  sessions: listOf(session, mostSessions),
  vault: listOf(vaultFile, mostVaultFiles),
})

export type Manifest = z.output<typeof manifest>
export type SessionEntry = z.output<typeof session>
export type SlideEntry = z.output<typeof slide>
export type VaultEntry = z.output<typeof vaultFile>
export type StoredFile = z.output<typeof storedFile>
export type MissingReason = (typeof missingReasons)[number]

function areSubfeeds(names: readonly string[]): boolean {
  if (names.length === 0) return true
  const parsed = subfeedList.safeParse(names.join(','))
  return parsed.success && parsed.data.length === names.length
}
