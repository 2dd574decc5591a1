/** Restores the content of a disk after a power cut, from what `powered-service.ts` has synced. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

type Event =
  | { readonly file: string; readonly name: string }
  | { readonly folder: string; readonly entries: readonly (readonly [string, string | null])[] }

/** Identifies a file independent of its path. An inode number alone may be reused by a later file. */
export function nameOnDisk({ ino, birthtimeNs }: { ino: bigint; birthtimeNs: bigint }): string {
  return `${ino}-${birthtimeNs}`
}

/** Rebuilds the data folder from the synced files. The service must not be running. */
export function losePower(dataDir: string, disk: string): void {
  const files = new Map<string, string>()
  const folders = new Set<string>()
  for (const line of readFileSync(join(disk, 'log'), 'utf8').split('\n')) {
    // The last line may be incomplete.
    if (!line.endsWith('}')) continue
    const event = JSON.parse(line) as Event
    if ('file' in event) files.set(event.file, event.name)
    else listFolder(event, files, folders)
  }
  rmSync(dataDir, { recursive: true, force: true })
  mkdirSync(dataDir, { recursive: true })
  for (const folder of folders) mkdirSync(folder, { recursive: true })
  for (const [path, name] of files) {
    const kept = join(disk, name)
    mkdirSync(dirname(path), { recursive: true })
    // A name can be on the disk before its content.
    if (existsSync(kept)) copyFileSync(kept, path)
    else writeFileSync(path, '')
  }
  // The restored state is on the disk: the next run starts with it.
  rmSync(disk, { recursive: true })
  mkdirSync(disk)
}

function listFolder(
  { folder, entries }: Extract<Event, { folder: string }>,
  files: Map<string, string>,
  folders: Set<string>,
): void {
  const present = new Set(entries.map(([name]) => join(folder, name)))
  for (const path of files.keys())
    if (dirname(path) === folder && !present.has(path)) files.delete(path)
  for (const path of folders)
    if (dirname(path) === folder && !present.has(path)) {
      folders.delete(path)
      for (const inside of files.keys()) if (inside.startsWith(`${path}/`)) files.delete(inside)
    }
  folders.add(folder)
  for (const [name, kept] of entries)
    if (kept === null) folders.add(join(folder, name))
    else files.set(join(folder, name), kept)
}
