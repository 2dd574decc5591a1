/** File names in addresses. */

/** The file's own name, as an address ends with it. */
export function nameIn(mediaUrl: string): string {
  const name =
    mediaUrl
      .replace(/[?#].*$/s, '')
      .split('/')
      .at(-1) ?? ''
  try {
    return decodeURIComponent(name)
  } catch {
    // It is no encoded text, and is its own name.
    return name
  }
}
