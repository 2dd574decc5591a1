/**
 * Makes an ordered list of pictures and videos from files, folders and plain zips. The list is sorted
 * by the time the media were taken. Its suggested title has the folder's name and the dates.
 */
import { type Brought, type BroughtFile, isHidden, maxFiles } from './brought-files.ts'
import { pageLocale } from '../words/language.ts'
import { byName } from './by-name.ts'
import { captureTime, headBytes } from '../../contract/capture-time.ts'
import { isHeic, isQuickTime, isZip, type MediaType, mediaType } from './media-kind.ts'
import type { UploadSource } from './upload-queue.ts'
import { words } from './words.ts'
import { readZip, type ZipEntry, ZipRefused } from './zip-reader.ts'

export type MediaSource = UploadSource & {
  readonly type: MediaType
  readonly path: string
  /** The time when it was taken, or else the time of the file's last change. */
  readonly takenAtMs: number
}

export type LeftOut = { readonly name: string; readonly why: string }

export type Gathered = {
  readonly media: readonly MediaSource[]
  readonly leftOut: readonly LeftOut[]
  /**
   * Zips that were downloaded from a site like this one, or that cannot be read here. They are uploaded
   * whole.
   */
  readonly archives: readonly File[]
  /** Files that are neither media nor zips. Another page may be able to use them. */
  readonly others: readonly File[]
  readonly suggestedTitle: string
}

/** The most slides of a session. */
export const maxMedia = 500
export const fullSession = words.sessionIsFull({ max: maxMedia })
const atATime = 6

type Candidate = Pick<UploadSource, 'name' | 'sizeBytes'> & {
  readonly open: () => Promise<Blob>
  readonly path: string
  readonly modifiedMs: number
  readonly head: (bytes: number) => Promise<Uint8Array>
}

export async function gatherMedia(
  brought: Brought,
  locale?: string,
  max = maxMedia,
): Promise<Gathered> {
  const leftOut: LeftOut[] = []
  const archives: File[] = []
  const others: File[] = []
  const found: MediaSource[] = []

  async function takeOrLeave(candidate: Candidate, isInZip: boolean): Promise<boolean> {
    const { name } = candidate
    try {
      const taken = await look(candidate)
      if (taken === 'heic') leftOut.push({ name, why: words.heic })
      else if (taken === 'quickTime') leftOut.push({ name, why: words.quickTime })
      else if (taken !== null) found.push(taken)
      else if (isInZip) leftOut.push({ name, why: words.notAccepted })
      return taken !== null || isInZip
    } catch (error) {
      leftOut.push({ name, why: error instanceof ZipRefused ? error.message : words.unreadable })
      return true
    }
  }

  async function takeZip(file: File, path: string) {
    try {
      const entries = (await readZip(file)).filter((entry) => !isHidden(entry.path))
      if (entries.some((entry) => entry.path === 'manifest.json')) archives.push(file)
      else
        await someAtATime(entries, async (entry) => {
          await takeOrLeave(candidateInZip(entry, { path, modifiedMs: file.lastModified }), true)
        })
    } catch (error) {
      // It is too large or too unusual for the browser. The server can read more zips and explains its
      // refusals.
      if (!(error instanceof ZipRefused)) throw error
      archives.push(file)
    }
  }

  await someAtATime(brought.files, async ({ file, path }) => {
    if (isZip(await headOf(file, 4).catch(() => new Uint8Array()))) await takeZip(file, path)
    else if (!(await takeOrLeave(candidateOf({ file, path }), false))) others.push(file)
  })
  const media = sortByTime(found)
  const many = media.slice(max).map(({ name }) => ({ name, why: fullSession }))
  return {
    media: media.slice(0, max),
    leftOut: [
      ...leftOut,
      ...many,
      ...(brought.isCut ? [{ name: '…', why: words.tooMany({ max: maxFiles }) }] : []),
    ],
    archives,
    others,
    suggestedTitle: titleOf(media, locale),
  }
}

/** Sorts by time. Media with the same time are sorted by name. */
export function sortByTime(media: readonly MediaSource[]): MediaSource[] {
  return media.toSorted(
    (one, other) => one.takenAtMs - other.takenAtMs || byName.compare(one.path, other.path),
  )
}

/** Returns a title such as 'Norway, 12 – 14 June 2024', from the common folder and the dates of the media. */
export function titleOf(media: readonly MediaSource[], locale = pageLocale()): string {
  const [first] = media
  const last = media.at(-1)
  if (!first || !last) return ''
  const folders = media.map(({ path }) => path.split('/').slice(0, -1))
  const common = folders.reduce((shared, folder) => {
    const differs = shared.findIndex((name, index) => folder[index] !== name)
    return differs === -1 ? shared : shared.slice(0, differs)
  })
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'long' })
  const days = dates.formatRange(first.takenAtMs, last.takenAtMs)
  const folder = common.at(-1) ?? ''
  return (folder === '' ? days : `${folder}, ${days}`).slice(0, 200)
}

/** Examines a file. Returns null if it is neither a picture nor a video. */
async function look(candidate: Candidate): Promise<MediaSource | 'heic' | 'quickTime' | null> {
  const head = await candidate.head(headBytes)
  const type = mediaType(head)
  if (isQuickTime(head)) return 'quickTime'
  if (type === null) return isHeic(head) ? 'heic' : null
  const { name, sizeBytes, path, modifiedMs } = candidate
  return {
    type,
    name,
    sizeBytes,
    path,
    takenAtMs: captureTime(head) ?? modifiedMs,
    // Set the type from the bytes: files from a zip have no type, and others may have a wrong name.
    open: async () => new File([await candidate.open()], name, { type, lastModified: modifiedMs }),
  }
}

function candidateOf({ file, path }: BroughtFile): Candidate {
  return {
    name: file.name,
    path,
    sizeBytes: file.size,
    modifiedMs: file.lastModified,
    head: (bytes) => headOf(file, bytes),
    open: async () => file,
  }
}

/** Makes a candidate from a zip entry. The zip's name replaces a missing folder name. */
function candidateInZip(
  entry: ZipEntry,
  zip: { readonly path: string; readonly modifiedMs: number },
): Candidate {
  const name = entry.path.split('/').at(-1) ?? entry.path
  const { sizeBytes, head } = entry
  return {
    name,
    path: entry.path.includes('/') ? entry.path : `${stemOf(zip.path)}/${name}`,
    sizeBytes,
    modifiedMs: entry.modifiedMs ?? zip.modifiedMs,
    head,
    open: entry.unpack,
  }
}

async function headOf(file: Blob, bytes: number): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(0, bytes).arrayBuffer())
}

function stemOf(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\.[a-z0-9]{1,5}$/i, '')
}

async function someAtATime<Item>(items: readonly Item[], work: (item: Item) => Promise<void>) {
  const waiting = items.values()
  const worker = async () => {
    for (const item of waiting) await work(item)
  }
  await Promise.all(Array.from({ length: atATime }, worker))
}
