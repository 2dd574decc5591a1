/**
 * A disk that loses unsynced data, for the process that imports this file first. Everything that the process
 * syncs of DATA_DIR is copied to the folder DISK, file by file and folder by folder, and nothing else.
 * `lose-power.ts` restores what would be left.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join, resolve } from 'node:path'
import { nameOnDisk } from './lose-power.ts'

const dataDir = resolve(process.env['DATA_DIR'] ?? '')
const disk = process.env['DISK'] ?? ''
const { fsyncSync } = fs

function note(event: object): void {
  fs.appendFileSync(join(disk, 'log'), `${JSON.stringify(event)}\n`)
}

function keep(fd: number): void {
  const path = fs.readlinkSync(`/proc/self/fd/${fd}`)
  if (path !== dataDir && !path.startsWith(`${dataDir}/`)) return
  const stats = fs.fstatSync(fd, { bigint: true })
  if (stats.isDirectory()) return note({ folder: path, entries: entriesOf(path) })
  const name = nameOnDisk(stats)
  const draft = join(disk, `${name}.draft`)
  fs.copyFileSync(path, draft)
  fs.renameSync(draft, join(disk, name))
  // A synced file is found by its name again, as on the usual file systems.
  note({ file: path, name })
}

function entriesOf(folder: string): [string, string | null][] {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .flatMap((entry): [string, string | null][] => {
      if (entry.isDirectory()) return [[entry.name, null]]
      const stats = fs.lstatSync(join(folder, entry.name), { bigint: true, throwIfNoEntry: false })
      return stats ? [[entry.name, nameOnDisk(stats)]] : []
    })
}

/** The state at the start counts as synced. */
function keepAll(folder: string): void {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) keepAll(path)
    else keepPath(path)
  }
  keepPath(folder)
}

function keepPath(path: string): void {
  const fd = fs.openSync(path, 'r')
  keep(fd)
  fs.closeSync(fd)
}

if (!fs.existsSync(join(disk, 'log')) && fs.existsSync(dataDir)) keepAll(dataDir)

Object.assign(fs, {
  fsyncSync(fd: number) {
    fsyncSync(fd)
    keep(fd)
  },
})
const opened = await fs.promises.open('/dev/null')
const handle = Object.getPrototypeOf(opened) as { sync: (this: { fd: number }) => Promise<void> }
await opened.close()
const { sync } = handle
handle.sync = async function syncAndKeep() {
  await sync.call(this)
  keep(this.fd)
}
syncBuiltinESMExports()
