/**
 * Parses names of subfeeds: `<source>:<name>`, or the name alone for the site's first source. All
 * spellings become one, which sessions store and code compares.
 */
import { isIP } from 'node:net'
import type { SourceId } from '../../../contract/sources.ts'
import { sourceIds } from '../../../contract/sources.ts'
import { refuseUrl } from '../../platform/fetch/user-url.ts'
import { isPlainName } from '../folders/folders.ts'

export type Subfeed = {
  readonly source: SourceId | 'off'
  /** The source's name of the subfeed, without our prefix. */
  readonly name: string
  /** The spelling that sessions store. */
  readonly written: string
}

export type Naming = {
  readonly first: SourceId | 'off'
  readonly offered: readonly (SourceId | 'off')[]
  /** FETCH_ALLOW. */
  readonly fetchAllow: readonly string[]
}

/** A name that cannot be parsed, with the reason. */
export class SubfeedRefused extends Error {}

export function readSubfeed(text: string, naming: Naming): Subfeed {
  const { source, spelling } = splitSource(text.trim(), naming)
  const max = source === 'rss' ? 2000 : 300
  if (spelling.length > max) throw new SubfeedRefused(`is longer than ${max} characters`)
  const name = readers[source](spelling, naming)
  if (name === null)
    throw new SubfeedRefused(`is not a name of ${source}. Examples: ${forms[source]}`)
  return { source, name: decoded(source, name), written: writtenName(source, name, naming) }
}

/** Splits a name into its source and the rest. */
function splitSource(text: string, { first, offered }: Naming) {
  const [, prefix, spelling] = /^([a-z]+):(.*)$/is.exec(text) ?? []
  // A URL starts like a source's prefix, but may be a name of the first source.
  if (prefix === undefined || spelling === undefined || spelling.startsWith('//')) {
    // Folders may be open to some people only, even as the site's first source.
    if (first === 'folder' && !offered.includes(first)) throw notOffered(first)
    return { source: first, spelling: text }
  }
  const source = sourceIds.find((id) => id === prefix.toLowerCase())
  if (!source) throw new SubfeedRefused(`has an unknown source, ${prefix}`)
  if (!offered.includes(source)) throw notOffered(source)
  return { source, spelling: spelling.trim() }
}

function notOffered(source: SourceId): SubfeedRefused {
  return new SubfeedRefused(`belongs to ${source}, which this site does not offer`)
}

/** Drops the first source's prefix, unless the rest would then be parsed as something else. */
function writtenName(source: Subfeed['source'], name: string, naming: Naming): string {
  const whole = `${source}:${name}`
  if (source !== naming.first) return whole
  try {
    const again = splitSource(name, naming)
    return again.source === source && again.spelling === name ? name : whole
  } catch {
    return whole
  }
}

/** Unescapes commas, which separate names in a list. URLs keep their own escapes. */
function decoded(source: Subfeed['source'], name: string): string {
  return source === 'rss' ? name : name.replaceAll('%2C', ',')
}

type Reader = (spelling: string, naming: Naming) => string | null

const community: Reader = (spelling) => {
  const name = spelling.toLowerCase().replace(/^\/?r\//, '')
  return /^[a-z0-9_]{2,50}$/.test(name) ? name : null
}

const communityAnywhere: Reader = (spelling) => {
  const name = spelling.toLowerCase().replace(/^(?:\/?r\/|!)/, '')
  return /^[a-z0-9_]{2,50}(?:@[a-z0-9.-]{1,253}(?::\d{1,5})?)?$/.test(name) ? name : null
}

const readers: Record<Subfeed['source'], Reader> = {
  off: communityAnywhere,
  demo: communityAnywhere,
  reddit: community,
  lemmy: communityAnywhere,
  mastodon: (spelling, naming) => {
    const name = spelling.toLowerCase()
    const [, host] =
      /^(?:#[\p{L}\p{N}\p{M}_·]{1,100}|@[a-z0-9_.-]{1,64})@([^@/]+)$/u.exec(name) ?? []
    return host !== undefined && isHost(host, naming) ? name : null
  },
  bluesky: (spelling) => {
    if (spelling.startsWith('@'))
      return isDnsName(spelling.slice(1).toLowerCase()) ? spelling.toLowerCase() : null
    if (spelling.startsWith('at://')) return isFeedUri(spelling) ? spelling : null
    const url = readAddress(spelling)
    const isPage = url?.origin === 'https://bsky.app' && profilePage.test(url.pathname)
    return isPage ? `https://bsky.app${url.pathname}` : null
  },
  rss: (spelling, { fetchAllow }) => {
    const url = readAddress(spelling)
    return url && refuseUrl(spelling, fetchAllow) === null ? url.href : null
  },
  commons: (spelling) => {
    const title = spelling
      .replace(/^category:/i, '')
      .replaceAll(/[\s_]+/gu, ' ')
      .replaceAll(/%2c/gi, '%2C')
      .trim()
    if (/^featured$/i.test(title)) return 'featured'
    // Characters and lengths that MediaWiki forbids in titles.
    if (title === '' || /[#<>[\]|{}\p{Cc}]/u.test(title) || Buffer.byteLength(title) > 255)
      return null
    return title.replace(/^./u, (letter) => letter.toUpperCase())
  },
  immich: (spelling) => {
    if (/^(?:favorites|random|memories)$/i.test(spelling)) return spelling.toLowerCase()
    const album = /^album\/([^\p{Cc}]+)$/iu.exec(spelling)?.[1]?.trim().replaceAll(/%2c/gi, '%2C')
    return album ? `album/${album}` : null
  },
  folder: (spelling) => {
    const path = spelling.replaceAll(/%2c/gi, '%2C').replaceAll(/^\/+|(?<!\/)\/+$/g, '')
    return path.split('/').every(isPlainName) && !/\p{Cc}/u.test(path) ? path : null
  },
  vault: (spelling) => {
    const name = spelling.toLowerCase()
    return vaultName.test(name) ? name : null
  },
}

const vaultName = /^(?:all|favorites|tag\/[a-z0-9][a-z0-9_-]{0,119})$/

const forms: Record<Subfeed['source'], string> = {
  off: 'pics',
  demo: 'mountainlight',
  reddit: 'itookapicture',
  lemmy: 'pics or pics@lemmy.world',
  mastodon: '#photography@mastodon.social or @someone@mastodon.social',
  bluesky: '@handle, or the address of a feed or list',
  rss: 'https://example.com/feed.xml, on the public internet',
  commons: 'Quality images of lakes, or featured',
  immich: 'album/Summer, favorites, random or memories',
  folder: 'holidays/2024, below the folder of this site',
  vault: 'all, favorites or tag/night',
}

const profilePage =
  /^\/profile\/(?:did:[a-z]+:[A-Za-z0-9._:%-]{1,200}|[A-Za-z0-9.-]{3,253})\/(?:feed|lists)\/[A-Za-z0-9._~:-]{1,512}$/

function isFeedUri(text: string): boolean {
  return /^at:\/\/(?:did:[a-z]+:[A-Za-z0-9._:%-]{1,200}|[A-Za-z0-9.-]{3,253})\/app\.bsky\.(?:feed\.generator|graph\.list)\/[A-Za-z0-9._~:-]{1,512}$/.test(
    text,
  )
}

/**
 * Returns the URL in its standard form, without the fragment, which only browsers use. URLs with a
 * password are refused.
 */
function readAddress(text: string): URL | null {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null
  if (!url || url.username !== '' || url.password !== '') return null
  url.hash = ''
  return url
}

/** True for a DNS name, or a host in FETCH_ALLOW. */
function isHost(host: string, { fetchAllow }: Naming): boolean {
  if (fetchAllow.includes(host)) return true
  const [name = '', port] = host.split(':', 2)
  const isPort = port === undefined || /^\d{1,5}$/.test(port)
  return isPort && isDnsName(name) && refuseUrl(`https://${host}/`, []) === null
}

function isDnsName(name: string): boolean {
  const labels = name.split('.')
  const areLabels = labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label))
  return labels.length > 1 && areLabels && name.length <= 253 && isIP(name) === 0
}

/** Returns the origin of a host. Only hosts in FETCH_ALLOW use plain HTTP. */
export function originOfHost(host: string, fetchAllow: readonly string[]): string {
  return fetchAllow.includes(host) ? `http://${host}` : `https://${host}`
}
