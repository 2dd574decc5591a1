/** Archives written by hand: what a manifest says, a good archive, and what a bad one is. */
import { createHash } from 'node:crypto'
import type { ArchiveFault } from '../../src/server/features/archives/archive-fault.ts'
import { samples } from './vault-world.ts'
import type { ZipEnd, ZipPart } from './zip-builder.ts'
import { buildZip } from './zip-builder.ts'

export const slideName = 'sessions/1/001.png'

/** What a manifest says of a session with these slides. */
export function sessionOf(slides: readonly object[], changes: object = {}) {
  return {
    title: 'A session',
    subfeeds: [],
    category: null,
    intervalMin: 3,
    intervalMax: 10,
    transition: 'fade',
    aiPrompt: null,
    captionTheme: null,
    isManualMode: false,
    isFavorite: false,
    tags: [],
    nsfw: false,
    cover: null,
    slides,
    ...changes,
  }
}

export function slideOf(file: object | null, changes: object = {}) {
  return {
    type: 'image',
    file,
    url: null,
    missing: null,
    caption: null,
    captionIsAi: false,
    durationMs: null,
    title: null,
    feedPostId: null,
    feedPostUrl: null,
    subfeed: null,
    width: null,
    height: null,
    nsfw: false,
    ...changes,
  }
}

export function fileOf(name: string, content: Uint8Array) {
  const sha256 = createHash('sha256').update(content).digest('hex')
  return { name, sha256, size: content.length }
}

export function manifestOf(sessions: readonly object[], changes: object = {}): string {
  return JSON.stringify({ format: 'lanternist', version: 1, sessions, vault: [], ...changes })
}

export const png: ZipPart = { name: slideName, content: samples.png }
export const manifest: ZipPart = {
  name: 'manifest.json',
  content: manifestOf([sessionOf([slideOf(fileOf(slideName, samples.png))])]),
}

/** As an export makes it; every hostile one is this with one thing changed. */
export const goodArchive = buildZip([png, manifest])

export type Hostile = {
  readonly kind: string
  readonly fault: ArchiveFault
  readonly bytes: Buffer
  /** Part of the sentence, where the word alone does not tell that it was noticed in time. */
  readonly says?: string
}

export function hostile(
  kind: string,
  fault: ArchiveFault,
  parts: readonly ZipPart[],
  end?: ZipEnd,
) {
  return { kind, fault, bytes: buildZip(parts, end) }
}
