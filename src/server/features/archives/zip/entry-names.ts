/** Which names an entry of a stranger's archive may have, whatever system it would be unpacked on. */

const longestNameBytes = 255
// Windows opens a device under these names, with any extension.
const deviceName = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i

/** Letters of any script; no way out of a folder, nothing that two systems read differently. */
export function isSafeEntryName(name: string): boolean {
  if (Buffer.byteLength(name) > longestNameBytes) return false
  if (/[\p{Cc}\uFFFD\\<>:"|?*]/u.test(name)) return false
  const segments = (name.endsWith('/') ? name.slice(0, -1) : name).split('/')
  return segments.every(isSafeSegment)
}

/** For whom upper and lower case, or two spellings of a letter, are the same file. */
export function foldedName(name: string): string {
  return name.replace(/\/$/, '').normalize('NFC').toLowerCase()
}

/** '.' and '..' end in a dot, and an absolute path begins with an empty segment. */
function isSafeSegment(segment: string): boolean {
  return segment !== '' && !/[. ]$/.test(segment) && !deviceName.test(segment)
}
