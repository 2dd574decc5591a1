/**
 * The fields of imgchest's answers that we read, as known from public programs. In the API a post is in
 * `data` and its files in `images`. The public page has the same post as JSON in the attribute
 * `data-page` of its root element, with the files in `props.post.files`.
 */
import { z } from 'zod'

export type ImgchestPost = {
  readonly title: string | null
  readonly nsfw: boolean
  readonly files: readonly {
    readonly link: string
    readonly description: string | null
    readonly nsfw: boolean
  }[]
}

/** Treats missing, null and invalid values alike: one bad field does not drop the post. */
const lenient = <T extends z.ZodType>(schema: T) => schema.nullish().catch(null)

/**
 * True for adult content. The API returns 'true' and 'false', or 1 and 0. An unknown value counts as
 * adult.
 */
const isAdult = (value: unknown) =>
  !(value === false || value === 0 || value === '0' || value === 'false')

const file = z.object({
  link: z.string(),
  description: lenient(z.string()),
  /** Only some answers have it. Without it, the post's value applies. */
  nsfw: z
    .unknown()
    .optional()
    .transform((value) => (value ?? null) !== null && isAdult(value)),
})

const post = z.object({
  title: lenient(z.string()),
  nsfw: z.unknown().optional().transform(isAdult),
  images: lenient(z.array(lenient(file))),
  files: lenient(z.array(lenient(file))),
})

const apiAnswer = z.object({ data: post })
const pageData = z.object({ props: z.object({ post }) })

/** Returns null when the answer is not a post. */
export function readApiPost(text: string): ImgchestPost | null {
  const parsed = apiAnswer.safeParse(parse(text))
  return parsed.success ? present(parsed.data.data) : null
}

/**
 * Returns 'missing' when the page says that the post does not exist, and null when it is not a page of
 * imgchest.
 */
export function readPagePost(html: string): ImgchestPost | 'missing' | null {
  const [, attribute] = /\bdata-page="([^"]*)"/.exec(html) ?? []
  const parsed = pageData.safeParse(parse(unescapeHtml(attribute ?? '')))
  if (parsed.success) return present(parsed.data.props.post)
  if (/<title>\s*Not Found\b/i.test(html)) return 'missing'
  return readTags(html)
}

/** Reads the pictures of a page without its data. They count as adult, because such a page does not say. */
function readTags(html: string): ImgchestPost | null {
  // Stop at the next tag: otherwise each of many unclosed tags would be read to the end of the page.
  const tags = html.match(/<(?:meta|img|source|video)\b[^<>]*>/gi) ?? []
  const links = tags.flatMap(
    (tag) => /https:\/\/cdn\.imgchest\.com\/files\/[\w.-]+/.exec(tag) ?? [],
  )
  if (links.length === 0) return null
  const [, title] = /<meta property="og:title" content="([^"]*)"/i.exec(html) ?? []
  const files = [...new Set(links)].map((link) => ({ link, description: null, nsfw: true }))
  return { title: title === undefined ? null : unescapeHtml(title), nsfw: true, files }
}

function present({ title, nsfw, images, files }: z.output<typeof post>): ImgchestPost {
  const listed = (images ?? files ?? []).filter((item) => item !== null && item !== undefined)
  return {
    title: title ?? null,
    nsfw,
    files: listed.map(({ link, description, nsfw }) => ({
      link,
      description: description ?? null,
      nsfw,
    })),
  }
}

const entities: ReadonlyMap<string, string> = new Map([
  ['quot', '"'],
  ['apos', "'"],
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
])

function unescapeHtml(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|(\w+));/gi, (all, decimal, hex, name) => {
    if (decimal) return String.fromCodePoint(Number(decimal))
    if (hex) return String.fromCodePoint(Number.parseInt(String(hex), 16))
    return entities.get(String(name).toLowerCase()) ?? all
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
