/** The names of an upload in the storage and in the list, made from its sender's file name. */
import type { UploadSource } from '../media-files.ts'

// A segment of a key may have 200 characters. Source, time and dashes take the others.
const longestSanitised = 150
// No file system allows a longer name.
const longestOriginal = 255

/** Returns '<source>-<timestamp>-<sanitised>' in ASCII characters, whatever alphabet the name is in. */
export function storedName(source: UploadSource, atMs: number, fileName: string): string {
  return `${source}-${atMs}-${sanitised(fileName)}`
}

/** Returns the sender's file name, to show and to search. */
export function originalNameOf(fileName: string): string {
  return shortened(fileName, longestOriginal)
}

/**
 * Removes invisible characters and characters that reverse text: 'gpj.exe' must not be displayed as
 * 'exe.jpg'.
 */
export function displayNameOf(fileName: string): string {
  return originalNameOf(fileName)
    .replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')
    .trim()
}

/** Keeps the extension: it decides the content type of the response. */
function sanitised(fileName: string): string {
  const [, stem = '', extension = ''] = /^(.*?)(\.[^.]*)?$/su.exec(fileName) ?? []
  return `${plain(stem).slice(0, longestSanitised)}${plain(extension)}`
}

function plain(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9._-]/gu, '_')
}

/** Shortens the text, but never within a surrogate pair. */
function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text
  const cut = text.slice(0, longest)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}
