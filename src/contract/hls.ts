/** Films that are no file: a playlist (HLS) names the pieces, which are fetched while it plays. */

export function isHls(address: string): boolean {
  return /\.m3u8(?:[?#]|$)/i.test(address)
}
