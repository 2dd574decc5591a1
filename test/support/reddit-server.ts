/**
 * A Reddit on 127.0.0.1: its token endpoint and its API. Listings are recorded, or small ones in the same
 * format.
 */
import { readFileSync } from 'node:fs'
import type { Asked, Reply } from './far-site.ts'
import { serveReplies } from './far-site.ts'
import { sharedFile } from './shared-corpora.ts'

const tokenPath = '/api/v1/access_token'

export async function serveReddit(script: {
  /** `count` is the number of earlier token requests. */
  token?: (count: number) => Reply
  api?: (asked: Asked, count: number) => Reply | Promise<Reply>
}) {
  const site = await serveReplies((asked) => {
    if (asked.path === tokenPath) return (script.token ?? goodToken)(tokenRequests().length - 1)
    return (script.api ?? goodListing)(asked, apiRequests().length - 1)
  })
  const tokenRequests = () => site.asked.filter(({ path }) => path === tokenPath)
  const apiRequests = () => site.asked.filter(({ path }) => path !== tokenPath)
  return {
    ...site,
    tokenRequests,
    apiRequests,
    settings: {
      clientId: 'client-id',
      clientSecret: 'client-secret',
      userAgent: 'test:lanternist:v0',
      authUrl: `${site.origin}${tokenPath}`,
      // A trailing slash is easily typed.
      apiUrl: site.origin,
    },
  }
}

/** The format of reddit-errors/token_client_credentials_200.json. */
export function goodToken(count: number): Reply {
  return {
    body: {
      access_token: `token-${count + 1}`,
      token_type: 'bearer',
      expires_in: 3600,
      scope: '*',
    },
  }
}

function goodListing(): Reply {
  return { body: redditListing([redditPicture('one'), redditPicture('two')]) }
}

/** The format of reddit/popular_hot_2026a_gallery_video.json. */
export function redditListing(posts: readonly object[], after: string | null = null) {
  const children = posts.map((data) => ({ kind: 't3', data }))
  return { kind: 'Listing', data: { after, dist: posts.length, modhash: null, children } }
}

/** Returns a post with a picture; fields and types as in the recordings. */
export function redditPicture(id: string, changes: Record<string, unknown> = {}) {
  return { ...redditText(id), is_self: false, url: `https://i.redd.it/${id}.jpeg`, ...changes }
}

export function redditText(id: string) {
  return {
    id,
    name: `t3_${id}`,
    subreddit: 'Pics',
    title: `Title of ${id}`,
    author: `author_of_${id}`,
    permalink: `/r/Pics/comments/${id}/title/`,
    score: 12,
    num_comments: 3,
    created_utc: 1776105848.0,
    over_18: false,
    spoiler: false,
    is_self: true,
    is_video: false,
    thumbnail: 'self',
    url: `https://www.reddit.com/r/Pics/comments/${id}/title/`,
    media: null,
    secure_media: null,
  }
}

export function readRecording(path: string): string {
  return readFileSync(sharedFile(`recordings/${path}`), 'utf8')
}
