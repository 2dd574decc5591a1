/**
 * Recognises content to import and describes it before anything is sent: a zip, a post, addresses, a listing,
 * or the reason why it is none of these.
 */
import type { Gathered } from '../../uploads/gather-media.ts'
import { formatSize } from '../../words/figures.ts'
import { readAddresses } from '../editor/new-slide.ts'
import { type ListingShape, shapeOfListing } from './listing-shape.ts'
import { words } from './words.ts'

type Words = {
  /** The description, such as 'A list of 34 addresses'. */
  readonly says: string
  /** Further facts for the user. */
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

export const maxAddresses = 500
const maxTextBytes = 5 * 1_048_576
const maxTitleCharacters = 200

export async function recogniseFile(file: File): Promise<Recognition> {
  const { name } = file
  if (file.size === 0) return nothing(words.emptyFile({ name }))
  if (await startsAsZip(file))
    return {
      kind: 'archive',
      file,
      says: words.archive({ size: formatSize(file.size) }),
      notes: [name],
    }
  if (/^(image|video)\//.test(file.type)) return nothing(words.wrongMedia({ name }))
  if (/\.zip$/i.test(name)) return nothing(words.brokenZip({ name }))
  if (file.size > maxTextBytes) return nothing(words.fileTooLong({ name }))
  const text = decode(await file.arrayBuffer())
  if (text.includes('\0')) return nothing(words.neitherZipNorText({ name }))
  return recogniseText(text, stemOf(name))
}

/** Recognises text. `name` is the file name if it came from a file. */
export function recogniseText(text: string, name = ''): Recognition {
  const content = text.replace(/^\uFEFF/, '').trim()
  if (content === '') return nothing(words.emptyText)
  if (content.length > maxTextBytes) return nothing(words.textTooLong)
  if (/^[[{]/.test(content)) return recogniseJson(content, name)
  return recogniseLines(content, name)
}

function recogniseJson(content: string, name: string): Recognition {
  const value = parse(content)
  if (typeof value !== 'object' || value === null) return nothing(words.brokenJson)
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return recogniseLines(value.join('\n'), name)
  if ('format' in value && value.format === 'lanternist') return nothing(words.manifestOnly)
  const shape = shapeOfListing(value)
  if (!shape) return nothing(words.otherJson)
  const { site, postCount } = shape
  if (postCount === 0) return nothing(words.emptyListing({ site }))
  return {
    kind: 'listing',
    listing: Array.isArray(value) ? value : { ...value },
    says: words.listing({ site, count: postCount }),
    notes: [
      ...(shape.name === null
        ? []
        : [words.allFrom({ community: communityOf(shape, shape.name) })]),
      words.withoutMediaLeftOut,
    ],
    suggestedTitle: title(shape.name ?? (name || words.listingTitle({ site }))),
  }
}

function recogniseLines(content: string, name: string): Recognition {
  // Comment lines of a text/uri-list.
  const lines = content.split(/\r?\n/).filter((line) => !line.startsWith('#'))
  const { addresses, wrongLines } = readAddresses(lines.join('\n'))
  const urls = [...new Set(addresses)]
  const [first] = urls
  if (first === undefined) return nothing(words.noAddress)
  const posts = urls.filter((url) => imgchestPost.test(url))
  if (posts.length > 0 && urls.length > posts.length) return nothing(words.postsAmongOthers)
  if (posts.length > 1) return nothing(words.severalPosts({ count: posts.length }))
  if (posts.length === 1) return { kind: 'post', url: first, says: words.post, notes: [first] }
  if (urls.length === 1 && redditPage.test(first)) return nothing(words.redditPage)
  return {
    kind: 'urls',
    urls: urls.slice(0, maxAddresses),
    says: words.addresses({ count: urls.length }),
    notes: [
      ...(urls.length > maxAddresses ? [words.firstAreTaken({ max: maxAddresses })] : []),
      ...(wrongLines.length > 0 ? [words.linesLeftOut({ count: wrongLines.length })] : []),
      urls.length === 1 ? first : fromHosts(urls),
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
  return host !== undefined && others.length === 0 ? words.fromHosts({ hosts: host }) : ''
}

/** Returns a text such as 'From one.example, two.example and 3 more'. */
function fromHosts(urls: readonly string[]): string {
  const hosts = [...new Set(urls.map(hostOf))]
  if (hosts.length <= 3) return words.fromHosts({ hosts: hosts.join(', ') })
  const [first, second] = hosts
  return words.fromHostsAndMore({ hosts: `${first}, ${second}`, count: hosts.length - 2 })
}

function hostOf(url: string): string {
  return (URL.parse(url)?.host ?? '').replace(/^www\./, '')
}

function title(text: string): string {
  return text.trim().slice(0, maxTitleCharacters)
}

function stemOf(fileName: string): string {
  return fileName
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .replaceAll(/[_\s]+/g, ' ')
    .trim()
}

/** Checks the first bytes, not the name. */
async function startsAsZip(file: Blob): Promise<boolean> {
  const [one, two, three, four] = new Uint8Array(await file.slice(0, 4).arrayBuffer())
  if (one !== 0x50 || two !== 0x4b) return false
  // The second form is an empty archive, which the server refuses with its own message.
  return (three === 3 && four === 4) || (three === 5 && four === 6)
}

/** Decodes text. Some editors write UTF-16 with a byte order mark. */
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
