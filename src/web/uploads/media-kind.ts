/** Detects the type of a file by its first bytes, whatever its name. */

/** The types that the site accepts. */
export type MediaType =
  | 'image/jpeg'
  | 'image/png'
  | 'image/gif'
  | 'image/webp'
  | 'video/mp4'
  | 'video/webm'

/** Listed one by one, so that a phone converts other types. */
export const acceptedMedia = 'image/jpeg,image/png,image/gif,image/webp,video/mp4,video/webm'

export function mediaType(head: Uint8Array): MediaType | null {
  if (begins(head, 0, [0xff, 0xd8, 0xff])) return 'image/jpeg'
  if (begins(head, 0, [0x89, 0x50, 0x4e, 0x47])) return 'image/png'
  if (begins(head, 0, text('GIF8'))) return 'image/gif'
  if (begins(head, 0, text('RIFF')) && begins(head, 8, text('WEBP'))) return 'image/webp'
  if (begins(head, 0, [0x1a, 0x45, 0xdf, 0xa3])) return 'video/webm'
  const isFilm = begins(head, 4, text('ftyp')) && !isHeic(head) && !isQuickTime(head)
  return isFilm ? 'video/mp4' : null
}

/** True for HEIC and AVIF, formats of phones that few browsers show. */
export function isHeic(head: Uint8Array): boolean {
  return (
    begins(head, 4, text('ftyp')) &&
    ['heic', 'heix', 'hevc', 'mif1', 'msf1', 'avif', 'avis'].some((brand) =>
      begins(head, 8, text(brand)),
    )
  )
}

/** True for QuickTime videos of phones and cameras. Old ones begin without a type. */
export function isQuickTime(head: Uint8Array): boolean {
  return (
    (begins(head, 4, text('ftyp')) && begins(head, 8, text('qt  '))) ||
    ['moov', 'wide', 'mdat'].some((part) => begins(head, 4, text(part)))
  )
}

export function isZip(head: Uint8Array): boolean {
  return begins(head, 0, [0x50, 0x4b, 3, 4]) || begins(head, 0, [0x50, 0x4b, 5, 6])
}

function begins(head: Uint8Array, at: number, bytes: readonly number[]): boolean {
  return bytes.every((byte, index) => head[at + index] === byte)
}

function text(letters: string): number[] {
  return Array.from(letters, (letter) => letter.charCodeAt(0))
}
