/**
 * Asks sites whether they still have a picture: shortly, without fetching it, never what is not
 * public, and never before the moment that a site has named.
 */
import { isHls } from '../../../contract/hls.ts'
import type { Context } from '../../context.ts'
import { retryAfterMs } from '../../platform/fetch/retry-after.ts'
import type { Fetched } from '../../platform/fetch/safe-fetch.ts'
import { FetchRefused } from '../../platform/fetch/user-url.ts'
import { findRestingHosts, restHost } from '../feeds/feeds.ts'
import { pathOnThisSite, peek } from '../files/files.ts'
import type { Finding } from './link-verdicts.ts'
import { dayMs, hourMs } from './link-verdicts.ts'

/** One for each run: it asks no address twice. */
export type LinkAsker = {
  /**
   * Null where the site is resting and is not asked. `claimedHost` is how the slide writes the
   * site's name (example.com:443 is example.com too): it rests under that as well, for it is by that
   * name that slides are left out of a run.
   */
  ask(url: string, claimedHost?: string): Promise<Finding | null>
}

const timeoutMs = 5000
// What asks for longer is not about us.
const longestRestMs = 7 * dayMs
const usualRestMs = hourMs
const mostSilences = 3
/** What says where the pieces of a film are. */
const isPlaylist = /^(?:application|audio)\/(?:vnd\.apple\.|x-)?mpegurl/i

export async function createLinkAsker(ctx: Context): Promise<LinkAsker> {
  const known = new Map<string, Finding>()
  const silences = new Map<string, number>()
  const resting = await findRestingHosts(ctx)

  const rest = async (host: string, until: Date) => {
    resting.set(host, until)
    await restHost(ctx, host, until)
  }

  return {
    async ask(url, claimedHost) {
      const found = known.get(url)
      if (found !== undefined) return found
      // A file of ours, or a picture of the demo feed, is where it was.
      if (pathOnThisSite(ctx, url) !== null) return 'fine'
      const host = URL.parse(url)?.host ?? ''
      const restsUntil = resting.get(host)
      if (restsUntil) {
        if (claimedHost !== undefined && !resting.has(claimedHost))
          await rest(claimedHost, restsUntil)
        return null
      }
      const { finding, restMs } = await look(ctx, url)
      known.set(url, finding)
      const silent = finding === 'silent' ? (silences.get(host) ?? 0) + 1 : 0
      silences.set(host, silent)
      const askedMs = restMs ?? (silent >= mostSilences ? usualRestMs : null)
      if (askedMs !== null) {
        const until = new Date(ctx.now().getTime() + Math.min(askedMs, longestRestMs))
        for (const name of new Set([host, claimedHost ?? host])) await rest(name, until)
      }
      return finding
    },
  }
}

type Look = { readonly finding: Finding; readonly restMs: number | null }

async function look(ctx: Context, url: string): Promise<Look> {
  // Some sites give whoever asks for anything else a page around the picture.
  const headers = { accept: 'image/*,video/*' }
  const limits = { timeoutMs, maxBytes: Infinity }
  try {
    const head = await ctx.fetch(url, { method: 'HEAD', headers, ...limits })
    const first = busyOrFine(ctx, url, head)
    if (first) return first
    // Whatever else HEAD says may be said of HEAD alone.
    const range = { ...headers, range: 'bytes=0-4099' }
    const answer = await ctx.fetch(url, { headers: range, ...limits })
    try {
      return busyOrFine(ctx, url, answer) ?? { finding: await faultOf(url, answer), restMs: null }
    } finally {
      await answer.discard()
    }
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error
    return { finding: findingOf(error), restMs: null }
  }
}

function busyOrFine(ctx: Context, url: string, answer: Fetched): Look | null {
  const { status, headers } = answer
  const type = headers['content-type'] ?? ''
  const isFile = /^(?:image|video)\//i.test(type) || (isHls(url) && isPlaylist.test(type))
  if (isSuccess(status) && isFile && !isPlaceholder(url, answer.url))
    return { finding: 'fine', restMs: null }
  const askedMs = retryAfterMs(headers['retry-after'], ctx.now())
  if (status === 429) return { finding: 'silent', restMs: askedMs ?? usualRestMs }
  if (status >= 500 && askedMs !== null) return { finding: 'silent', restMs: askedMs }
  return null
}

async function faultOf(url: string, answer: Fetched): Promise<Finding> {
  const { status, headers } = answer
  if (status === 404 || status === 410) return 'gone'
  if (status === 401 || status === 403 || status === 451) return 'refused'
  if (!isSuccess(status)) return 'silent'
  if (isPlaceholder(url, answer.url)) return 'no-picture'
  if (/^(?:text\/|application\/(?:json|xml|xhtml))/i.test(headers['content-type'] ?? ''))
    return 'no-picture'
  const { mimeType = '' } = await peek(answer.body)
  return /^(?:image|video)\//.test(mimeType) ? 'fine' : 'no-picture'
}

/** What is removed is often redirected to a picture that says so. */
function isPlaceholder(asked: string, ended: string): boolean {
  const says = /^(?:removed|deleted|not[-_]?found|404|placeholder|missing)(?:\.\w+)?$/i
  return says.test(fileName(ended)) && fileName(ended) !== fileName(asked)
}

function fileName(url: string): string {
  return URL.parse(url)?.pathname.split('/').at(-1) ?? ''
}

function isSuccess(status: number): boolean {
  return status === 200 || status === 206
}

function findingOf({ reason, cause }: FetchRefused): Finding {
  switch (reason) {
    case 'host':
    case 'scheme':
    case 'invalid_url':
      return 'unknown'
    case 'unreachable':
      // A resolver that fails for now says EAI_AGAIN.
      return cause instanceof Error && 'code' in cause && cause.code === 'ENOTFOUND'
        ? 'no-such-host'
        : 'silent'
    default:
      return 'silent'
  }
}
