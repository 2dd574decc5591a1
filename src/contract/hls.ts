/** Films that are no file: a playlist (HLS) names the pieces, which are fetched while it plays. */

/** How their addresses end, in upper or lower case; PostgreSQL reads it too. */
export const hlsEnding = '\\.m3u8([?#]|$)'

const hlsAddress = new RegExp(hlsEnding, 'i')

export function isHls(address: string): boolean {
  return hlsAddress.test(address)
}
