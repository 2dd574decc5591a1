/** Parses the manifest of an untrusted archive, after it has checked all limits. */
import { isStorable, mayContainUnstorable } from '../../../http/storable-text.ts'
import { ArchiveRefused } from '../archive-fault.ts'
import type { ArchiveLimits } from '../archive-limits.ts'
import type { Manifest, StoredFile } from '../manifest.ts'
import { manifest, manifestFormat, manifestVersion } from '../manifest.ts'

// Lists in sessions in slides in the manifest, and some more, so that other faults get a better message.
const deepest = 12
// A slide has fourteen fields.
const commasPerPart = 16
// An unknown key can be as long as the manifest.
const longestDetail = 300

export function parseManifest(bytes: Buffer, limits: ArchiveLimits): Manifest {
  requireModest(bytes, limits.manifestParts)
  const content = parseJson(bytes)
  const { format, version } = headOf(content)
  if (format !== manifestFormat) throw new ArchiveRefused('unknown-format')
  if (version !== manifestVersion) throw new ArchiveRefused('unknown-version')
  const parsed = manifest.safeParse(content)
  if (parsed.success) return requireOwnFiles(parsed.data, limits)
  const [issue] = parsed.error.issues
  const detail = `${issue?.path.join('.')} ${issue?.message ?? ''}`.trim()
  throw new ArchiveRefused('bad-manifest', detail.slice(0, longestDetail))
}

/**
 * Refuses a manifest that names a file twice: one entry named a thousand times would be unpacked and
 * stored a thousand times.
 */
function requireOwnFiles(content: Manifest, limits: ArchiveLimits): Manifest {
  const names = new Set<string>()
  let namedBytes = 0
  for (const file of filesOf(content)) {
    if (names.has(file.name)) throw new ArchiveRefused('bad-manifest', 'it names a file twice')
    names.add(file.name)
    namedBytes += file.size
    if (namedBytes > limits.contentBytes) throw new ArchiveRefused('contents-too-large')
  }
  return content
}

function filesOf({ sessions, vault }: Manifest): StoredFile[] {
  const inSessions = sessions.flatMap(({ slides, cover }) => [
    cover,
    ...slides.map(({ file }) => file),
  ])
  return [...inSessions, ...vault.map(({ file }) => file)].filter((file) => file !== null)
}

/**
 * Refuses deep or numerous parts before parsing: a few megabytes of brackets need a hundred times as much
 * memory.
 */
function requireModest(bytes: Buffer, maxParts: number): void {
  let [parts, commas, depth] = [0, 0, 0]
  let isText = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === 0x22 /* " */) isText = !isText
    else if (isText && byte === 0x5c /* \ */) at += 1
    else if (isText) continue
    else if (byte === 0x2c /* , */) commas += 1
    else if (byte === 0x7b /* { */ || byte === 0x5b /* [ */) {
      parts += 1
      depth += 1
    } else if (byte === 0x7d /* } */ || byte === 0x5d /* ] */) depth -= 1
    if (parts > maxParts || commas > maxParts * commasPerPart || depth > deepest)
      throw new ArchiveRefused('bad-manifest', 'it has too many parts')
  }
}

function parseJson(bytes: Buffer): unknown {
  let text: string
  let content: unknown
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    content = JSON.parse(text)
  } catch (error) {
    throw new ArchiveRefused('bad-manifest', 'it is not JSON', { cause: error })
  }
  if (mayContainUnstorable(text) && !isStorable(content))
    throw new ArchiveRefused('bad-manifest', 'it contains characters that cannot be stored')
  return content
}

function headOf(content: unknown): { format?: unknown; version?: unknown } {
  return typeof content === 'object' && content !== null ? content : {}
}
