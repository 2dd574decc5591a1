/**
 * Reads dropped, pasted or chosen files, with folders and their content. The number of files and the
 * depth are limited, because a user may drop a whole disk.
 */
import type { Dropped } from './early-drop.ts'

export type BroughtFile = {
  readonly file: File
  /** The path with its folders: 'Norway/Day 1/IMG_1.jpg'. */
  readonly path: string
}

export type Brought = {
  readonly files: readonly BroughtFile[]
  /** True when a limit was reached and files were left out. */
  readonly isCut: boolean
}

export const maxFiles = 5000
const deepest = 12

export async function filesOfDrop({ files, entries }: Dropped): Promise<Brought> {
  // Files can be used directly. Only folders must be read.
  return entries.some(({ isDirectory }) => isDirectory) ? await walk(entries) : filesOfList(files)
}

/** Reads a file field. The files of a chosen folder have their paths. */
export function filesOfList(files: Iterable<File>): Brought {
  const all = [...files]
  return {
    files: all
      .slice(0, maxFiles)
      .map((file) => ({ file, path: file.webkitRelativePath || file.name }))
      .filter(({ path }) => !isHidden(path)),
    isCut: all.length > maxFiles,
  }
}

/** True for files that operating systems create in folders. */
export function isHidden(path: string): boolean {
  return path.split('/').some((name) => name.startsWith('.') || name === '__MACOSX')
}

async function walk(roots: readonly FileSystemEntry[]): Promise<Brought> {
  const files: BroughtFile[] = []
  let waiting = roots.map((entry) => ({ entry, depth: 0 }))
  let isCut = false
  while (waiting.length > 0) {
    const [next, ...others] = waiting
    waiting = others
    if (!next || isHidden(next.entry.name)) continue
    if (files.length >= maxFiles) return { files, isCut: true }
    const { entry, depth } = next
    if (isFile(entry)) {
      const file = await fileOf(entry)
      files.push({ file, path: entry.fullPath.replace(/^\//, '') || file.name })
    } else if (isFolder(entry)) {
      if (depth >= deepest) isCut = true
      else {
        const within = await entriesOf(entry, maxFiles - files.length)
        waiting = [...within.map((inner) => ({ entry: inner, depth: depth + 1 })), ...waiting]
      }
    }
  }
  return { files, isCut }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}

/** Reads all entries. Browsers return about a hundred at a time, and none at the end. */
async function entriesOf(folder: FileSystemDirectoryEntry, max: number) {
  const reader = folder.createReader()
  const entries: FileSystemEntry[] = []
  while (entries.length <= max) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) break
    entries.push(...some)
  }
  return entries
}
