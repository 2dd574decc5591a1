/** Archives built by hand: the manifest, a valid archive, and the shape of an invalid one. */
import { createHash } from 'node:crypto'
import type { ArchiveFault } from '../../src/server/features/archives/archive-fault.ts'
import { samples } from './vault-world.ts'
import type { ZipEnd, ZipPart } from './zip-builder.ts'
import { buildZip } from './zip-builder.ts'

export const slideName = 'sessions/1/001.png'

/** Returns the manifest of a session with these slides. */
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

/** An archive as an export writes it. Each hostile archive changes one thing of it. */
export const goodArchive = buildZip([png, manifest])

export type Hostile = {
  readonly kind: string
  readonly fault: ArchiveFault
  readonly bytes: Buffer
  /** A part of the message, when the code alone does not show that the fault was detected early. */
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
