/** Names of files in an archive that every system can unpack, and people can read. */

// File systems take 255 bytes, and there is a number before the name.
const longestStemBytes = 160
const longestExtension = 10
const characters = new Intl.Segmenter()

/** Never empty, never a path; letters of any script stay. Meant to stand after a number of its own. */
export function safeName(text: string): string {
  const plain = text
    .toWellFormed()
    .normalize('NFC')
    // Control and format characters, those that Windows refuses, and the one for what was malformed.
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\uFFFD<>:"/\\|?*]+/gu, '_')
    .replaceAll(/\s+/g, ' ')
  const [, stem = '', extension = ''] = /^(.*?)(\.[A-Za-z0-9]+)?$/s.exec(plain) ?? []
  const isExtension = extension.length <= longestExtension
  const kept = isExtension ? stem : plain
  // Windows drops dots and spaces at the end, and hides what begins with a dot.
  const trimmed = cut(kept).replaceAll(/^[. ]+|(?<![. ])[. ]+$/g, '')
  return `${trimmed === '' ? 'untitled' : trimmed}${isExtension ? extension : ''}`
}

/** With the extension that the stored file has, whatever the name says. */
export function safeFileName(name: string, storedKey: string): string {
  const [extension = ''] = /\.[A-Za-z0-9]{1,9}$/.exec(storedKey) ?? []
  const given = safeName(name)
  return given.toLowerCase().endsWith(extension.toLowerCase()) ? given : `${given}${extension}`
}

/** By whole characters, so that none is cut in two. */
function cut(text: string): string {
  let kept = ''
  for (const { segment } of characters.segment(text)) {
    if (Buffer.byteLength(kept + segment) > longestStemBytes) break
    kept += segment
  }
  return kept
}
