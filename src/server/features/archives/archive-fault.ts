/** The refusal of a whole archive: a code for programs and a sentence for people. */
import type { archiveFaults } from '../../../contract/archives.ts'
import { problem } from '../../http/problem.ts'

export type ArchiveFault = (typeof archiveFaults)[number]

const sentences: Readonly<Record<ArchiveFault, string>> = {
  empty: 'The file is empty',
  'not-a-zip': 'The file is not a zip archive',
  truncated: 'The archive is incomplete: a part of it is missing',
  split: 'The archive is one part of several; put them together first',
  'too-large': 'The archive is larger than can be imported at once',
  'too-many-entries': 'The archive has more entries than can be imported at once',
  'entry-too-large': 'A file in the archive is larger than an upload may be',
  'contents-too-large': 'The unpacked archive is larger than can be imported at once',
  ratio: 'The unpacked archive is much larger than pictures and videos can be',
  'bad-name': 'A file in the archive has a name that is not safe',
  'duplicate-name': 'Two files in the archive have the same name',
  'not-a-file': 'The archive has entries that are neither plain files nor empty folders',
  encrypted: 'The archive is encrypted; make one without a password',
  'unknown-method': 'The archive is compressed in a way that is not supported',
  'oversized-fields': 'The archive has comments or extra fields that are too large',
  overlap: 'Entries of the archive overlap',
  'stray-bytes': 'The archive has data that belongs to none of its files',
  mismatch: 'The archive contradicts itself',
  broken: 'A file in the archive is damaged',
  'wrong-hash': 'A file in the archive does not match the manifest',
  'no-manifest': 'The archive has no manifest.json: it is not an export of this service',
  'manifest-too-large': 'The manifest of the archive is too large',
  'bad-manifest': 'The manifest of the archive is not valid',
  'unknown-format': 'The archive was made by another program',
  'unknown-version': 'The archive was made by a newer version of this service',
  'not-one-session': 'The archive does not contain exactly one session; import it as a library',
}

export class ArchiveRefused extends Error {
  override name = 'ArchiveRefused'
  readonly fault: ArchiveFault

  /** Adds `detail` to the sentence: the exact fault and its location. */
  constructor(fault: ArchiveFault, detail?: string, options?: ErrorOptions) {
    super(detail === undefined ? sentences[fault] : `${sentences[fault]}: ${detail}`, options)
    this.fault = fault
  }
}

/** Converts a refusal to the contract's problem. Other errors are returned unchanged. */
export function explainRefusal(error: unknown): unknown {
  if (!(error instanceof ArchiveRefused)) return error
  return problem.archiveRefused({ message: error.message, reason: error.fault })
}
