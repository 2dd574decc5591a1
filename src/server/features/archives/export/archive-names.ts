/** Builds file names for archives that every system can unpack and people can read. */

// File systems allow 255 bytes, and callers put a number before the name.
const longestStemBytes = 160
const longestExtension = 10
const characters = new Intl.Segmenter()

/**
 * Returns a safe name: never empty, never a path, with letters of any script. Callers put a number before
 * it.
 */
export function safeName(text: string): string {
  const plain = text
    .toWellFormed()
    .normalize('NFC')
    // Control and format characters, those that Windows forbids, and the replacement character.
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\uFFFD<>:"/\\|?*]+/gu, '_')
    .replaceAll(/\s+/g, ' ')
  const [, stem = '', extension = ''] = /^(.*?)(\.[A-Za-z0-9]+)?$/s.exec(plain) ?? []
  const isExtension = extension.length <= longestExtension
  const kept = isExtension ? stem : plain
  // Windows drops dots and spaces at the end; Unix hides files that start with a dot.
  const trimmed = cut(kept).replaceAll(/^[. ]+|(?<![. ])[. ]+$/g, '')
  return `${trimmed === '' ? 'untitled' : trimmed}${isExtension ? extension : ''}`
}

/** Returns a safe name with the extension of the stored file. */
export function safeFileName(name: string, storedKey: string): string {
  const [extension = ''] = /\.[A-Za-z0-9]{1,9}$/.exec(storedKey) ?? []
  const given = safeName(name)
  return given.toLowerCase().endsWith(extension.toLowerCase()) ? given : `${given}${extension}`
}

/** Cuts between whole characters. */
function cut(text: string): string {
  let kept = ''
  for (const { segment } of characters.segment(text)) {
    if (Buffer.byteLength(kept + segment) > longestStemBytes) break
    kept += segment
  }
  return kept
}
