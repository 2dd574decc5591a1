/** Imports a post of imgchest: through its API when a token is configured, else from its public page. */
import type { Context } from '../../context.ts'
import { problem } from '../../http/problem.ts'
import { FetchRefused } from '../../platform/fetch/user-url.ts'
import { plainText } from '../feeds/feeds.ts'
import type { Gathered } from './gathering.ts'
import { createGathering, judgeAddress, slideAt } from './gathering.ts'
import type { ImgchestPost } from './imgchest-answers.ts'
import { readApiPost, readPagePost } from './imgchest-answers.ts'

export type GatheredPost = Gathered & {
  readonly title: string
  readonly url: string
}

const publicApi = 'https://api.imgchest.com'
const answerMaxBytes = 5 * 1_048_576
const maxTitleCharacters = 200
const maxCaptionCharacters = 2000

export async function gatherImgchestPost(
  ctx: Context,
  url: string,
  viewer: { readonly ageVerified: boolean },
): Promise<GatheredPost> {
  const id = /\/p\/([A-Za-z0-9]+)/.exec(url)?.[1] ?? ''
  const post = await readPost(ctx, id)
  if (post.nsfw && !viewer.ageVerified)
    throw problem.ageVerificationRequired({
      message: 'This post is for adults; verify your age to import it',
    })
  const gathering = createGathering()
  for (const { link, description, nsfw } of post.files) {
    const judged = judgeAddress(ctx, link)
    const caption = plainText(description ?? '', maxCaptionCharacters) || null
    if (nsfw && !viewer.ageVerified) gathering.skip(link, 'age_restricted')
    else if ('code' in judged) gathering.skip(link, judged.code)
    else if (!gathering.add(slideAt(judged.address, { caption, nsfw: post.nsfw || nsfw })))
      gathering.skip(link, 'too_many')
  }
  return {
    ...gathering.end(),
    title: plainText(post.title ?? '', maxTitleCharacters) || `imgchest ${id}`,
    url: `https://imgchest.com/p/${id}`,
  }
}

async function readPost(ctx: Context, id: string): Promise<ImgchestPost> {
  const { token, apiUrl } = ctx.config.imgchest
  const base = apiUrl ?? publicApi
  const { status, text } = token
    ? await ask(ctx, `${base}/v1/post/${id}`, { authorization: `Bearer ${token}` })
    : await ask(ctx, `${siteOf(base)}/p/${id}`, {})
  if (status === 404 || status === 410) throw problem.importPostNotFound()
  if (status !== 200) throw unavailable(`imgchest answered with status ${status}`)
  const post = token ? readApiPost(text) : readPagePost(text)
  if (post === 'missing') throw problem.importPostNotFound()
  if (!post) throw unavailable('imgchest’s answer cannot be read')
  return post
}

/** Returns the site of an API: 'imgchest.com' for 'api.imgchest.com'. */
function siteOf(apiUrl: string): string {
  return apiUrl.replace(/^(https?:\/\/)api\./i, '$1')
}

async function ask(ctx: Context, url: string, headers: Record<string, string>) {
  try {
    const answer = await ctx.fetch(url, {
      // IMGCHEST_API_URL is configured and may be private; URLs in posts may not.
      chosenOrigin: ctx.config.imgchest.apiUrl === undefined ? undefined : new URL(url).origin,
      maxBytes: answerMaxBytes,
      headers: { accept: 'application/json, text/html;q=0.9', ...headers },
    })
    return { status: answer.status, text: (await answer.bytes()).toString('utf8') }
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error
    ctx.log.warn({ event: 'imgchest_failed', err: error }, 'failed to reach imgchest')
    throw unavailable('imgchest cannot be reached')
  }
}

function unavailable(message: string) {
  return problem.importSourceUnavailable({ message: `${message}; try again later` })
}
