/** Films that are no file: a playlist (HLS) names the pieces, which are fetched while it plays. */

/** How their addresses end, in upper or lower case; PostgreSQL reads it too. */
export const hlsEnding = '\\.m3u8([?#]|$)'

export function isHls(address: string): boolean {
  return new RegExp(hlsEnding, 'i').test(address)
}
