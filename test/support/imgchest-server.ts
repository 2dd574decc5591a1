/**
 * An imgchest on 127.0.0.1: its API with a token, and its public pages.
 *
 * The API's documentation (imgchest.com/docs/api/1.0) was not available. The format is the one that public
 * programs use (gallery-dl's extractor `imagechest`, and uploaders that publish the responses): bearer
 * tokens, `GET /v1/post/<id>`, a post in `data` with `id`, `title`, `nsfw`, `image_count`, `created` and
 * `images` of `{ id, description, link, position, created }`.
 *
 * The page is not a documented interface. The same extractor reads the attribute `data-page` of its root
 * element, JSON escaped for HTML, and in it `props.post` with `title`, `nsfw`, `tags` and `files` of
 * `{ link }`; it recognises a deleted post by the title 'Not Found'. Published responses to uploads show
 * that links point to cdn.imgchest.com/files/.
 */
import type { Asked, Reply } from './far-site.ts'
import { serveReplies } from './far-site.ts'

export const imgchestToken = 'imgchest-token'

export type TestPost = {
  readonly title?: string | null
  readonly nsfw?: unknown
  readonly links: readonly string[]
  readonly descriptions?: readonly (string | null)[]
  /** The `nsfw` field of each file, which most responses omit. */
  readonly fileNsfw?: readonly unknown[]
}

export function serveImgchest(posts: Record<string, TestPost>, instead?: (asked: Asked) => Reply) {
  return serveReplies((asked) => {
    if (instead) return instead(asked)
    const [, place = '', id = ''] = /^\/(v1\/post|p)\/(\w+)$/.exec(asked.path) ?? []
    const post = posts[id]
    if (place === 'p') return post ? { body: pageOf(post) } : notFoundPage
    if (asked.headers.authorization !== `Bearer ${imgchestToken}`)
      return { status: 401, body: { message: 'Unauthenticated.' } }
    return post ? { body: { data: apiPost(id, post) } } : { status: 404, body: { message: '' } }
  })
}

function apiPost(
  id: string,
  { title = 'A post', nsfw = false, links, descriptions = [], fileNsfw }: TestPost,
) {
  return {
    id,
    title,
    username: 'someone',
    privacy: 'public',
    report_status: 1,
    views: 3,
    nsfw,
    image_count: links.length,
    created: '2026-01-01T00:00:00.000000Z',
    images: links.map((link, index) => ({
      id: `image${index}`,
      description: descriptions[index] ?? null,
      link,
      position: index + 1,
      ...(fileNsfw && { nsfw: fileNsfw[index] }),
      created: '2026-01-01T00:00:00.000000Z',
    })),
    delete_url: null,
  }
}

function pageOf({ title = 'A post', nsfw = 0, links, fileNsfw }: TestPost): string {
  const files = links.map((link, index) => ({
    id: `image${index}`,
    link,
    position: index + 1,
    ...(fileNsfw && { nsfw: fileNsfw[index] }),
  }))
  const data = { component: 'Post/Show', props: { post: { title, nsfw, tags: [], files } } }
  return `<!doctype html><html><head><title>A post - Image Chest</title></head>
    <body><div id="app" data-page="${escapeHtml(JSON.stringify(data))}"></div></body></html>`
}

const notFoundPage = { status: 404, body: '<!doctype html><title>Not Found</title>' }

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#039;')
}
