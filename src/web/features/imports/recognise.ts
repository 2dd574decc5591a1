/**
 * Sees what somebody brings to be imported, and says it in words before anything is sent: a zip, a
 * post, addresses, a listing, or why it is none of these.
 */
import type { Gathered } from '../../uploads/gather-media.ts'
import { readAddresses } from '../editor/new-slide.ts'
import { count, sizeOf } from './figures.ts'
import { type ListingShape, shapeOfListing } from './listing-shape.ts'

type Words = {
  /** What it is: 'A list of 34 addresses'. */
  readonly says: string
  /** What is to be known of it besides. */
  readonly notes: readonly string[]
}

export type Recognised = Words &
  (
    | { readonly kind: 'archive'; readonly file: File }
    | {
        readonly kind: 'pictures'
        readonly gathered: Gathered
        readonly suggestedTitle: string
      }
    | { readonly kind: 'post'; readonly url: string }
    | { readonly kind: 'urls'; readonly urls: readonly string[]; readonly suggestedTitle: string }
    | {
        readonly kind: 'listing'
        readonly listing: Record<string, unknown> | unknown[]
        readonly suggestedTitle: string
      }
  )

export type Recognition = Recognised | { readonly kind: 'nothing'; readonly why: string }

export const mostAddresses = 500
const mostTextBytes = 5 * 1_048_576
const mostTitleCharacters = 200

export async function recogniseFile(file: File): Promise<Recognition> {
  if (file.size === 0) return nothing(`“${file.name}” is empty.`)
  if (await startsAsZip(file))
    return { kind: 'archive', file, says: `An archive, ${sizeOf(file.size)}`, notes: [file.name] }
  if (/^(image|video)\//.test(file.type))
    return nothing(`“${file.name}” is not a JPEG, PNG, WebP, GIF, MP4 or WebM file.`)
  if (/\.zip$/i.test(file.name))
    return nothing(`“${file.name}” is called a zip but is none. It may be cut off or damaged.`)
  if (file.size > mostTextBytes)
    return nothing(`“${file.name}” is no zip, and as a text it is too long: 5 MB at most.`)
  const text = decode(await file.arrayBuffer())
  if (text.includes('\0'))
    return nothing(`“${file.name}” is neither a zip nor a text, so nothing can be read from it.`)
  return recogniseText(text, stemOf(file.name))
}

/** `name` is what the text was called, where it was a file. */
export function recogniseText(text: string, name = ''): Recognition {
  const content = text.replace(/^\uFEFF/, '').trim()
  if (content === '') return nothing('There is nothing in it.')
  if (content.length > mostTextBytes) return nothing('That text is too long: 5 MB at most.')
  if (/^[[{]/.test(content)) return recogniseJson(content, name)
  return recogniseLines(content, name)
}

function recogniseJson(content: string, name: string): Recognition {
  const value = parse(content)
  if (typeof value !== 'object' || value === null)
    return nothing('That begins like JSON but breaks off or has a mistake in it.')
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return recogniseLines(value.join('\n'), name)
  if ('format' in value && value.format === 'lanternist')
    return nothing('That is the manifest of an archive. Bring the whole zip that it was in.')
  const shape = shapeOfListing(value)
  if (!shape) return nothing('That is JSON, but no listing of posts as Reddit or Lemmy give it.')
  if (shape.postCount === 0) return nothing(`That is a ${shape.site} listing without any post.`)
  return {
    kind: 'listing',
    listing: Array.isArray(value) ? value : { ...value },
    says: `A ${shape.site} listing with ${count(shape.postCount, 'post')}`,
    notes: [
      ...(shape.name === null ? [] : [`All from ${communityOf(shape, shape.name)}`]),
      'Posts without a picture or video are left out.',
    ],
    suggestedTitle: title(shape.name ?? (name || `${shape.site} listing`)),
  }
}

function recogniseLines(content: string, name: string): Recognition {
  // Lines of a text/uri-list that are not meant for programs begin so.
  const lines = content.split(/\r?\n/).filter((line) => !line.startsWith('#'))
  const { addresses, wrongLines } = readAddresses(lines.join('\n'))
  const urls = [...new Set(addresses)]
  const [first] = urls
  if (first === undefined)
    return nothing('No address was found in it. Each begins with https:// and has its own line.')
  const posts = urls.filter((url) => imgchestPost.test(url))
  if (posts.length > 0 && urls.length > posts.length)
    return nothing(
      'Some of these are imgchest posts. Bring each post by itself, and the others together.',
    )
  if (posts.length > 1)
    return nothing(`These are ${posts.length} imgchest posts. Bring one at a time.`)
  if (posts.length === 1)
    return { kind: 'post', url: first, says: 'An imgchest post', notes: [first] }
  if (urls.length === 1 && redditPage.test(first))
    return nothing(
      'That is a page of Reddit, which only your own browser may read. Open it there with .json at the end of its address, save what comes, and drop the file here.',
    )
  return {
    kind: 'urls',
    urls: urls.slice(0, mostAddresses),
    says: `A list of ${count(urls.length, 'address')}`,
    notes: [
      ...(urls.length > mostAddresses ? [`The first ${mostAddresses} are taken.`] : []),
      ...(wrongLines.length > 0
        ? [`${count(wrongLines.length, 'line')} without an address will be left out.`]
        : []),
      urls.length === 1 ? first : `From ${hostsIn(urls)}`,
    ],
    suggestedTitle: title(name || namedByHost(urls)),
  }
}

const imgchestPost = /^https?:\/\/(?:www\.)?imgchest\.com\/p\/[A-Za-z0-9]{1,40}\/?(?:[?#].*)?$/i
const redditPage = /^https?:\/\/(?:[a-z]+\.)?reddit\.com\/(?!.*\.(?:jpe?g|png|gif|webp|mp4)$)/i

function nothing(why: string): Recognition {
  return { kind: 'nothing', why }
}

function communityOf({ site }: ListingShape, name: string): string {
  return site === 'Reddit' ? `r/${name}` : name
}

function namedByHost(urls: readonly string[]): string {
  const [host, ...others] = new Set(urls.map(hostOf))
  return host !== undefined && others.length === 0 ? `From ${host}` : ''
}

/** 'one.example, two.example and 3 more'. */
function hostsIn(urls: readonly string[]): string {
  const hosts = [...new Set(urls.map(hostOf))]
  const more = hosts.length > 3 ? ` and ${hosts.length - 2} more` : ''
  return hosts.slice(0, more === '' ? 3 : 2).join(', ') + more
}

function hostOf(url: string): string {
  return (URL.parse(url)?.host ?? '').replace(/^www\./, '')
}

function title(text: string): string {
  return text.trim().slice(0, mostTitleCharacters)
}

function stemOf(fileName: string): string {
  return fileName
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replaceAll(/[_\s]+/g, ' ')
    .trim()
}

/** By its first bytes; whatever it is called. */
async function startsAsZip(file: Blob): Promise<boolean> {
  const [one, two, three, four] = new Uint8Array(await file.slice(0, 4).arrayBuffer())
  if (one !== 0x50 || two !== 0x4b) return false
  // The third marks an archive with nothing in it, which the server refuses in its own words.
  return (three === 3 && four === 4) || (three === 5 && four === 6)
}

/** Some editors write two bytes a letter, and say so with the first two. */
function decode(bytes: ArrayBuffer): string {
  const [one, two] = new Uint8Array(bytes)
  if (one === 0xff && two === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (one === 0xfe && two === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return new TextDecoder().decode(bytes)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
