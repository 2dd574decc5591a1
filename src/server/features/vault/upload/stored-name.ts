/** What an upload is called in the storage and in the list, whatever its sender called it. */
import type { UploadSource } from '../media-files.ts'

// A segment of a key may have 200 characters; source, time and dashes take the others.
const longestSanitised = 150
// No file system allows a longer name, so nobody misses the rest.
const longestOriginal = 255

/** '<source>-<timestamp>-<sanitised>': plain letters and digits, whatever alphabet the name is in. */
export function storedName(source: UploadSource, atMs: number, fileName: string): string {
  return `${source}-${atMs}-${sanitised(fileName)}`
}

/** The sender's own words, to be shown and searched. */
export function originalNameOf(fileName: string): string {
  return shortened(fileName, longestOriginal)
}

/** Without what is not seen, or turns the words around it: 'gpj.exe' must not read 'exe.jpg'. */
export function displayNameOf(fileName: string): string {
  return originalNameOf(fileName)
    .replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')
    .trim()
}

/** The extension is kept: it says as what a file is served. */
function sanitised(fileName: string): string {
  const [, stem = '', extension = ''] = /^(.*?)(\.[^.]*)?$/su.exec(fileName) ?? []
  return `${plain(stem).slice(0, longestSanitised)}${plain(extension)}`
}

function plain(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9._-]/gu, '_')
}

/** Not in the middle of a character that takes two. */
function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text
  const cut = text.slice(0, longest)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}
