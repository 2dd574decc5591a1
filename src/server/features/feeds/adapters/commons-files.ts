/** Parses files of Wikimedia Commons, with authors and licences, from answers of its API. */
import { z } from 'zod'
import type { FeedMedia } from '../feed-source.ts'
import type { MediaFacts } from '../normalise-media.ts'
import { normaliseMedia, unixSeconds } from '../normalise-media.ts'
import { lenient, shortList } from '../reading/lenient-shapes.ts'
import { textOfHtml } from './html-text.ts'

/** A limit of twice the number that is requested. */
const maxFiles = 100

const text = lenient(z.string())
const number = lenient(z.number())

const info = z.object({
  url: z.string(),
  descriptionurl: text,
  thumburl: text,
  mime: text,
  width: number,
  height: number,
  timestamp: text,
  extmetadata: lenient(z.record(z.string(), z.unknown())),
  derivatives: lenient(
    z.array(z.object({ src: z.string(), type: text, width: number, height: number })),
  ),
})
type Info = z.infer<typeof info>

const infos = lenient(shortList(1).pipe(z.array(info)))

const page = z.object({
  title: z.string(),
  index: number,
  imageinfo: infos,
  videoinfo: infos,
})
type Page = z.infer<typeof page>

const answerShape = z.object({
  /** Absent or false while parts of this batch are missing; true or '' (old format) when it is complete. */
  batchcomplete: z.unknown().optional(),
  continue: lenient(z.record(z.string(), z.union([z.string(), z.number()]).transform(String))),
  query: lenient(
    z.object({
      pages: z.union([
        shortList(maxFiles),
        z
          .record(z.string(), z.unknown())
          .transform((pages) => Object.values(pages).slice(0, maxFiles)),
      ]),
    }),
  ),
  error: lenient(z.object({ code: text })),
})

/**
 * A file and its index in a batch. `media` is null when another part has it, or when it cannot be shown.
 */
export type CommonsFile = {
  readonly title: string
  readonly index: number
  readonly media: FeedMedia | null
}

export type CommonsAnswer = {
  readonly files: readonly CommonsFile[]
  /** The parameters for the next part, or for the next batch when this one is complete. */
  readonly next: Readonly<Record<string, string>> | null
  readonly isComplete: boolean
}

/** Returns null when the answer is not a query result. */
export function readCommonsAnswer(
  answer: unknown,
  allow: readonly string[] = [],
): CommonsAnswer | null {
  const parsed = answerShape.safeParse(answer).data
  if (!parsed || parsed.error) return null
  const { batchcomplete, query } = parsed
  return {
    files: (query?.pages ?? []).flatMap((item) => {
      const file = page.safeParse(item).data
      if (!file) return []
      return { title: file.title, index: file.index ?? 0, media: mediaOfFile(file, allow) }
    }),
    next: parsed.continue ?? null,
    isComplete: batchcomplete === '' || batchcomplete === true,
  }
}

/** Merges the parts of a batch: the media of a file may be in any of them. */
export function mergeFiles(pieces: readonly (readonly CommonsFile[])[]): CommonsFile[] {
  const whole = new Map<string, CommonsFile>()
  for (const piece of pieces.flat())
    whole.set(piece.title, { ...piece, media: whole.get(piece.title)?.media ?? piece.media })
  return [...whole.values()].sort((one, other) => one.index - other.index)
}

function mediaOfFile(file: Page, allow: readonly string[]): FeedMedia | null {
  const described = file.imageinfo?.[0] ?? file.videoinfo?.[0]
  const media = described && mediaOf(described)
  if (!described || !media) return null
  const words = wordsOf(described.extmetadata)
  const licence = words('LicenseShortName')
  const facts = {
    postId: file.title,
    postUrl: described.descriptionurl ?? '',
    title: words('ImageDescription') || nameOf(file.title),
    author: words('Artist'),
    attribution: words('Attribution'),
    subfeed: '',
    score: 0,
    commentCount: 0,
    createdAtUnixS: unixSeconds(described.timestamp),
    nsfw: false,
    spoiler: false,
    licence: licence === '' ? null : { name: licence, url: words('LicenseUrl') || null },
  }
  return normaliseMedia(facts, media, allow)
}

/** Returns a version that browsers can show: originals may be huge, SVGs or TIFFs. */
function mediaOf(file: Info): MediaFacts | null {
  const { url, width, height, thumburl: thumbnail } = file
  const mime = file.mime ?? mimeOfName(url)
  if (mime.startsWith('video/') || mime === 'application/ogg') {
    const film = playable(file, mime)
    return film === null ? null : { url: film, type: 'video', thumbnail, width, height }
  }
  if (!mime.startsWith('image/')) return null
  // Scaled GIFs are not animated.
  if (mime === 'image/gif') return { url, type: 'gif', thumbnail, width, height }
  const isShown = /^image\/(?:jpeg|png|webp)$/.test(mime)
  const shown = thumbnail ?? (isShown ? url : null)
  return shown === null ? null : { url: shown, type: 'image', thumbnail, width, height }
}

const maxHeight = 1080

function playable({ url, derivatives }: Info, mime: string): string | null {
  const films = (derivatives ?? []).filter(({ type }) => /^video\/(?:webm|mp4)/.test(type ?? ''))
  const fitting = films
    .filter(({ height }) => (height ?? 0) <= maxHeight)
    .toSorted((one, other) => (other.height ?? 0) - (one.height ?? 0))
  const isPlayable = mime === 'video/webm' || mime === 'video/mp4'
  return fitting[0]?.src ?? (isPlayable ? url : null)
}

function mimeOfName(url: string): string {
  const ending = /\.(\w+)$/.exec(URL.parse(url)?.pathname ?? '')?.[1]?.toLowerCase() ?? ''
  const kinds = new Map([
    ['jpg', 'image/jpeg'],
    ['jpeg', 'image/jpeg'],
    ['png', 'image/png'],
    ['webp', 'image/webp'],
    ['gif', 'image/gif'],
    ['svg', 'image/svg+xml'],
    ['tif', 'image/tiff'],
    ['tiff', 'image/tiff'],
    ['webm', 'video/webm'],
    ['mp4', 'video/mp4'],
  ])
  return kinds.get(ending) ?? ''
}

/** Returns a reader of metadata, whose values are HTML, numbers or texts by language. */
function wordsOf(metadata: Info['extmetadata']): (key: string) => string {
  const valueShape = z.object({ value: z.unknown().optional() })
  return (key) => {
    const value = valueShape.safeParse(metadata?.[key]).data?.value
    if (typeof value === 'number') return String(value)
    const byLanguage = lenient(z.record(z.string(), z.unknown())).parse(
      typeof value === 'object' ? value : null,
    )
    const chosen = byLanguage ? (byLanguage['en'] ?? Object.values(byLanguage)[0]) : value
    return typeof chosen === 'string' ? textOfHtml(chosen) : ''
  }
}

function nameOf(title: string): string {
  return title.replace(/^File:/i, '').replace(/\.\w+$/, '')
}
