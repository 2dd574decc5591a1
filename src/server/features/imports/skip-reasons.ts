/** Reasons why something is not imported: a code for programs and a sentence for people. */
import { plainText } from '../feeds/feeds.ts'
import type { CopyFault } from '../intake/intake.ts'
import type { SkippedMedia } from '../sessions/sessions.ts'

export type SkipCode = SkippedMedia['code']

const maxSourceCharacters = 500

export function skipped(source: string, code: SkipCode): SkippedMedia {
  return { source: plainText(source, maxSourceCharacters), reason: reasons[code], code }
}

/** Returns one entry for all that exceed the list. */
export function unnamed(count: number): SkippedMedia {
  return { source: `${count} more`, reason: 'These are left out as well', code: 'too_many' }
}

const reasons: Readonly<Record<SkipCode, string>> = {
  invalid_address: 'This is not an http or https address',
  refused_address: 'This address is not on the public internet',
  not_found: 'There is nothing at this address',
  unreachable: 'The address could not be reached',
  not_media: 'This is not a JPEG, PNG, WebP, GIF, MP4 or WebM file',
  no_media: 'This post has no picture or video',
  too_large: 'The file is larger than 100 MB, or 30 MB for a picture',
  too_many: 'A session has at most 500 slides',
  unreadable: 'This is damaged and cannot be read',
  blocked: 'This picture was taken down and cannot be used again',
  age_restricted: 'This is for adults, and your age is not verified',
  over_quota: 'There is not enough space left in your storage',
  interrupted: 'Copying this was interrupted too many times',
}

export const codeOfFault: Readonly<Record<CopyFault, SkipCode>> = {
  address: 'invalid_address',
  host: 'refused_address',
  missing: 'not_found',
  unreachable: 'unreachable',
  'too-slow': 'unreachable',
  'too-large': 'too_large',
  'not-media': 'not_media',
  unreadable: 'unreadable',
  blocked: 'blocked',
  'over-quota': 'over_quota',
}
