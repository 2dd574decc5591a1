/** Returns the file name at the end of an address. */
export function nameIn(mediaUrl: string): string {
  const name =
    mediaUrl
      .replace(/[?#].*$/s, '')
      .split('/')
      .at(-1) ?? ''
  try {
    return decodeURIComponent(name)
  } catch {
    // The name is not valid percent-encoding, so it is used unchanged.
    return name
  }
}
