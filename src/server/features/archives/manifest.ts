/**
 * The schema of manifest.json, for a single session and for a whole library. It contains no account, no
 * code and no signed URL. docs/archive-format.md documents it.
 */
import { z } from 'zod'
import { captionThemes } from '../../../contract/session-records.ts'
import { transitions } from '../../../contract/transitions.ts'
import { subfeedList } from '../../../contract/values.ts'

export const manifestName = 'manifest.json'
export const manifestFormat = 'lanternist'
export const manifestVersion = 1

const maxSlides = 500
const maxSessions = 5000
const maxVaultFiles = 20_000

/** Checks the length before the items, so that a long list costs nothing. */
const listOf = <T extends z.ZodType>(item: T, max: number) =>
  z.array(z.unknown()).max(max).pipe(z.array(item))

/** So simple that the name survives any program that packs the archive again. */
const entryName = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*(\/[A-Za-z0-9][A-Za-z0-9_-]*)*\.[a-z0-9]{1,5}$/)

const storedFile = z.strictObject({
  name: entryName,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  size: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
})

/** Reasons why a file is not in the archive. */
export const missingReasons = ['gone', 'unreachable', 'too-large', 'not-media', 'withheld'] as const

const webAddress = z
  .string()
  .max(4000)
  .regex(/^https?:\/\//)

const shortText = z.string().max(2000)
const pixels = z.int().min(1).max(1_000_000)

/** Either the file, or the reason why it is missing, with its URL on another site. */
const media = {
  file: storedFile.nullable(),
  url: webAddress.nullable(),
  missing: z.enum(missingReasons).nullable(),
}

/** The author, licence and source of a work. */
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
  /**
   * Absent if there is none, so that older versions, which do not know these fields, can read the
   * manifest.
   */
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
    /** The slug of a category that a person chose. */
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
    /** The cover picture that a person chose. */
    cover: storedFile.nullable(),
    slides: listOf(slide, maxSlides),
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
  sessions: listOf(session, maxSessions),
  vault: listOf(vaultFile, maxVaultFiles),
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
