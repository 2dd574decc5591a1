/** Lists the folders below FOLDERS_DIR, for the search by part of a name. */
import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { isPlainName } from './folder-path.ts'

const deepest = 6
const maxFolders = 5000
/** Files count too, because a folder may have very many of them. */
const maxEntries = 200_000

/** Returns folder names, up to the limits above. Links are not followed, because they could form cycles. */
export async function listFolderNames(dir: string): Promise<string[]> {
  const found: string[] = []
  const queue: { path: string; depth: number }[] = [{ path: '', depth: 0 }]
  let entries = 0
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { path, depth } = next
    const folder = await opendir(join(dir, path)).catch(() => null)
    if (!folder) continue
    for await (const entry of folder) {
      entries += 1
      if (entries > maxEntries || found.length >= maxFolders) return found
      if (!entry.isDirectory() || !isPlainName(entry.name)) continue
      const below = path === '' ? entry.name : `${path}/${entry.name}`
      found.push(below)
      if (depth < deepest) queue.push({ path: below, depth: depth + 1 })
    }
  }
  return found
}
