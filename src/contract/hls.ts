/** HLS films: a playlist names the segments, which are fetched during playback. */

/** The end of their URLs, case-insensitive. PostgreSQL uses this pattern too. */
export const hlsEnding = '\\.m3u8([?#]|$)'

const hlsAddress = new RegExp(hlsEnding, 'i')

export function isHls(address: string): boolean {
  return hlsAddress.test(address)
}
