/**
 * Asks sites whether they still have a picture. Each request is short and does not download the
 * picture. Non-public addresses are never asked, and Retry-After is respected.
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

/** A link asker of one run. It asks no address twice. */
export type LinkRequester = {
  /**
   * Asks about an address. Returns null without asking while the site rests. `claimedHost` is the
   * site's name in the slide, which can differ: example.com:443 is also example.com. The rest is stored
   * under that name too, because a run skips slides by that name.
   */
  ask(url: string, claimedHost?: string): Promise<Finding | null>
}

const timeoutMs = 5000
// The upper limit for Retry-After.
const longestRestMs = 7 * dayMs
const usualRestMs = hourMs
const maxSilences = 3
/** The type of an HLS playlist, which lists the segments of a video. */
const isPlaylist = /^(?:application|audio)\/(?:vnd\.apple\.|x-)?mpegurl/i

export async function createLinkRequester(ctx: Context): Promise<LinkRequester> {
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
      // Stored files and pictures of the demo feed cannot disappear.
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
      const askedMs = restMs ?? (silent >= maxSilences ? usualRestMs : null)
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
  // Some sites return an HTML page with the picture for any other Accept header.
  const headers = { accept: 'image/*,video/*' }
  const limits = { timeoutMs, maxBytes: Infinity }
  try {
    const head = await ctx.fetch(url, { method: 'HEAD', headers, ...limits })
    const first = busyOrFine(ctx, url, head)
    if (first) return first
    // Any other answer to HEAD may be wrong for GET.
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

/** True when the request was redirected to a placeholder: many sites do that for removed pictures. */
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
      // A temporary failure of the resolver has the code EAI_AGAIN.
      return cause instanceof Error && 'code' in cause && cause.code === 'ENOTFOUND'
        ? 'no-such-host'
        : 'silent'
    default:
      return 'silent'
  }
}
