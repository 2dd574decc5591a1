/**
 * The files that the vault accepts: six kinds. The declared type, the extension of the name and the
 * first bytes must all agree.
 */
import type { FilePart } from '../../../http/bodies/form.ts'
import { problem } from '../../../http/problem.ts'
import { peek } from '../../files/files.ts'
import type { UploadSource } from '../media-files.ts'

export type FileKind = {
  readonly words: string
  readonly mimeType: string
  readonly extensions: readonly string[]
  /** The types that content detection reports for this kind. */
  readonly recognised: readonly string[]
}

const kinds: readonly FileKind[] = [
  kind('JPEG', 'image/jpeg', ['.jpg', '.jpeg']),
  // Software that does not know animated PNG reads it as a normal PNG.
  kind('PNG', 'image/png', ['.png'], ['image/apng']),
  kind('GIF', 'image/gif', ['.gif']),
  kind('WebP', 'image/webp', ['.webp']),
  kind('MP4', 'video/mp4', ['.mp4'], ['video/x-m4v']),
  kind('WebM', 'video/webm', ['.webm']),
]
const mimeTypes = kinds.map(({ mimeType }) => mimeType)
const pictureTypes = mimeTypes.filter((mimeType) => mimeType.startsWith('image/'))
const extensions = kinds.flatMap((kind) => kind.extensions)
const kindsSuggestion = 'Use a JPEG, PNG, GIF or WebP picture, or an MP4 or WebM video.'

const longestQuoted = 100

/** Checks the declared type and the name of a file before any of its content is read. */
export function requireKind({ fileName, mimeType }: Omit<FilePart, 'content'>): FileKind {
  const declared = kinds.find((kind) => kind.mimeType === mimeType)
  if (!declared)
    throw refuse(
      `Invalid MIME type: ${quoted(mimeType)}. Allowed types: ${mimeTypes.join(', ')}`,
      kindsSuggestion,
    )
  if (/\.\.|[/\\]/.test(fileName))
    throw refuse(
      'Invalid file name: it contains "..", "/" or "\\"',
      'Give the file a plain name, without dots in a row and slashes.',
    )
  const extension = extensionOf(fileName)
  if (!extensions.includes(extension))
    throw refuse(
      `Invalid file extension: ${quoted(extension) || 'none'}. Allowed extensions: ${extensions.join(', ')}`,
      kindsSuggestion,
    )
  if (!declared.extensions.includes(extension))
    throw refuse(
      `Invalid file extension: ${extension} is not the extension of ${declared.mimeType}`,
      `Give the file the extension ${declared.extensions.join(' or ')}.`,
    )
  return declared
}

/** Refuses videos as pictures of profiles and sessions. */
export function refuseFilm({ mimeType }: Pick<FileKind, 'mimeType'>, source: UploadSource): void {
  if (!mimeType.startsWith('video/') || (source !== 'profile' && source !== 'thumbnail')) return
  throw refuse(
    `Invalid MIME type: ${mimeType}. Allowed types: ${pictureTypes.join(', ')}`,
    'Use a JPEG, PNG, GIF or WebP picture here.',
  )
}

/** Returns the whole content after checking that its first bytes are of the kind. */
export async function requireContent(
  kind: FileKind,
  content: AsyncIterable<Uint8Array>,
): Promise<AsyncIterable<Uint8Array>> {
  const { head, mimeType, content: whole } = await peek(content)
  if (!mimeType || !kind.recognised.includes(mimeType)) {
    const what = mimeType ? `it is ${mimeType}` : 'its type is unknown'
    const seen = head.length === 0 ? 'it is empty' : what
    throw refuse(
      `Invalid file content: ${seen}, and should be ${kind.mimeType}`,
      `The content of the file does not match its name (${kind.words}). ${kindsSuggestion}`,
    )
  }
  return whole
}

function kind(
  words: string,
  mimeType: string,
  extensions: readonly string[],
  alsoRecognised: readonly string[] = [],
): FileKind {
  return { words, mimeType, extensions, recognised: [mimeType, ...alsoRecognised] }
}

function extensionOf(fileName: string): string {
  return (/\.[^.]*$/.exec(fileName)?.[0] ?? '').toLowerCase()
}

/** Returns the sender's text, shortened and in printable ASCII. */
function quoted(text: string): string {
  return text.replaceAll(/[^!-~]/g, '_').slice(0, longestQuoted)
}

function refuse(message: string, suggestion: string) {
  return problem.uploadRefused({ message: `Upload failed: ${message}`, suggestion })
}
