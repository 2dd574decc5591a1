/** What a disk holds after a loss of power, by what `powered-service.ts` has seen synced. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

type Event =
  | { readonly file: string; readonly name: string }
  | { readonly folder: string; readonly entries: readonly (readonly [string, string | null])[] }

/** Of a file whatever its path is by now; a number alone is given again to later files. */
export function nameOnDisk({ ino, birthtimeNs }: { ino: bigint; birthtimeNs: bigint }): string {
  return `${ino}-${birthtimeNs}`
}

/** Makes the data folder anew from what was synced. The service has to be dead. */
export function losePower(dataDir: string, disk: string): void {
  const files = new Map<string, string>()
  const folders = new Set<string>()
  for (const line of readFileSync(join(disk, 'log'), 'utf8').split('\n')) {
    // The last line may have been cut off with the process.
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
    // A name can be on the disk before what it names.
    if (existsSync(kept)) copyFileSync(kept, path)
    else writeFileSync(path, '')
  }
  // What is there now is on the disk: the next life begins with it.
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
