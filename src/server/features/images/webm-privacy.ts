/**
 * What a WebM file says beside pictures and sound: tags, titles, dates, attachments. Each such
 * element becomes a void of the same size, so that nothing is moved or coded anew.
 */
import type { ByteWindow } from './byte-window.ts'
import type { Hidden } from './hidden-bytes.ts'
import { zeros } from './hidden-bytes.ts'
import type { Element } from './webm-elements.ts'
import { elementsIn, id, voidOf } from './webm-elements.ts'

type Findings = {
  readonly hidden: Hidden[]
  /** Whether anything of it is worth a copy of the whole file. */
  isPrivate: boolean
}

type Rule = 'keep' | 'search' | 'hide' | 'hide-along'
type Rules = { readonly [id: number]: Rule | undefined }

// Checksums would no longer fit, and the index of elements would point at what is gone.
const everywhere: Rules = { [id.checksum]: 'hide-along', [id.void]: 'keep' }

const rulesAtTop: Rules = { [id.header]: 'keep', [id.segment]: 'search' }
const rulesOf: { readonly [id: number]: Rules | undefined } = {
  [id.segment]: {
    [id.seekHead]: 'search',
    [id.info]: 'search',
    [id.tracks]: 'search',
    [id.cluster]: 'keep',
    [id.cues]: 'keep',
  },
  [id.seekHead]: { [id.seek]: 'keep' },
  [id.info]: {
    [id.timestampScale]: 'keep',
    [id.duration]: 'keep',
    [id.muxingApp]: 'keep',
    [id.writingApp]: 'keep',
    [id.segmentUuid]: 'hide-along',
  },
  [id.tracks]: { [id.trackEntry]: 'search' },
}
const hiddenInTrack: ReadonlySet<number> = new Set([id.trackName])
const goneElements: ReadonlySet<number> = new Set([id.tags, id.chapters, id.attachments])
const tagParts: ReadonlySet<number> = new Set([
  id.tagName,
  id.tagLanguage,
  id.tagDefault,
  id.tagString,
])
const smallBytes = 64 * 1024
const encoderTags =
  /^(?:ENCODER|ENCODER_SETTINGS|DURATION|MAJOR_BRAND|MINOR_VERSION|COMPATIBLE_BRANDS|HANDLER_NAME|VENDOR_ID)$/

/** What is to be written over; empty where the file can be shown as it is. */
export async function findPrivateElements(file: ByteWindow): Promise<Hidden[]> {
  const found: Findings = { hidden: [], isPrivate: false }
  for await (const element of elementsIn(file, 0, file.size))
    await search(file, element, rulesAtTop[element.id] ?? 'hide', found)
  return found.isPrivate ? found.hidden : []
}

async function search(
  file: ByteWindow,
  element: Element,
  rule: Rule,
  found: Findings,
): Promise<void> {
  if (element.id === id.void) return emptyVoid(file, element, found)
  if (element.id === id.tags && (await namesOnlyItsEncoder(file, element))) return
  if (element.id === id.seek && (await leadsToWhatIsGone(file, element)))
    return void found.hidden.push(voidOf(element))
  if (rule === 'hide' || rule === 'hide-along') {
    found.hidden.push(
      element.isBroken ? zeros(element.at, element.end - element.at) : voidOf(element),
    )
    if (rule === 'hide') found.isPrivate = true
  }
  if (rule !== 'search') return
  const isTrack = element.id === id.trackEntry
  const rules = rulesOf[element.id] ?? {}
  for await (const part of elementsIn(file, element.content, element.end)) {
    const usual = isTrack && !hiddenInTrack.has(part.id) && !part.isBroken ? 'keep' : 'hide'
    await search(file, part, rules[part.id] ?? everywhere[part.id] ?? usual, found)
  }
}

/** What was cut out of a file by others may still stand in the space that they left. */
async function emptyVoid(file: ByteWindow, element: Element, found: Findings): Promise<void> {
  const length = element.end - element.content
  const content = await file.read(element.content, Math.min(length, smallBytes))
  if (length <= smallBytes && content.every((byte) => byte === 0)) return
  found.hidden.push(zeros(element.content, length))
  found.isPrivate = true
}

async function leadsToWhatIsGone(file: ByteWindow, seek: Element): Promise<boolean> {
  for await (const part of elementsIn(file, seek.content, seek.end)) {
    if (part.id !== id.seekId) continue
    const target = await file.read(part.content, 4)
    return target.length === 4 && goneElements.has(target.readUInt32BE(0))
  }
  return false
}

/** The common case of a file that a converter has made: tags with its own name and durations. */
async function namesOnlyItsEncoder(file: ByteWindow, tags: Element): Promise<boolean> {
  if (tags.end - tags.content > smallBytes) return false
  for await (const tag of elementsIn(file, tags.content, tags.end)) {
    if (tag.id !== id.tag) return false
    for await (const part of elementsIn(file, tag.content, tag.end)) {
      const isHarmless =
        part.id === id.targets || (part.id === id.simpleTag && (await isEncoderTag(file, part)))
      if (!isHarmless) return false
    }
  }
  return true
}

async function isEncoderTag(file: ByteWindow, simpleTag: Element): Promise<boolean> {
  let name = ''
  for await (const part of elementsIn(file, simpleTag.content, simpleTag.end)) {
    if (!tagParts.has(part.id)) return false
    if (part.id === id.tagName)
      name = (await file.read(part.content, part.end - part.content)).toString('utf8')
  }
  return encoderTags.test(name)
}
