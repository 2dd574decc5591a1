/** Removes derived files whose source was deleted or overwritten. */
import { opendir } from 'node:fs/promises'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { defineJob } from '../../jobs/job.ts'
import { madeFolder, readMadeKey } from './folder-keys.ts'
import { fingerprintOf } from './folder-media.ts'
import { openFile } from './folder-path.ts'

/** Limits of one run. The next run continues. */
const maxLooks = 500_000
const maxRemoved = 20_000
const lookingMs = 8 * 60_000

/** Removes derived files. All of them can be created again, so a wrong decision costs only time. */
export async function sweepMadeMedia(ctx: Context): Promise<void> {
  const dir = ctx.config.folders?.dir
  // An empty or missing folder probably means that the disk is not mounted.
  if (dir === undefined || !(await hasEntries(dir))) return
  const startMs = performance.now()
  const left: string[] = []
  let looks = 0
  for await (const { key } of ctx.storage.list('user-media', madeFolder)) {
    looks += 1
    const isLate = performance.now() - startMs > lookingMs
    if (ctx.stopping.aborted || isLate || looks > maxLooks || left.length >= maxRemoved) break
    if (!(await isOfThere(dir, key))) left.push(key)
  }
  for (const key of left) {
    if (ctx.stopping.aborted) return
    await ctx.storage.remove('user-media', key)
  }
  if (left.length > 0)
    ctx.log.info(
      { event: 'folder_media_swept', removed: left.length },
      'removed cached files of pictures that left their folder',
    )
}

async function isOfThere(dir: string, key: string): Promise<boolean> {
  const made = readMadeKey(key)
  const file = made && (await openFile(dir, made.path))
  if (!made || !file) return false
  await file.handle.close()
  return fingerprintOf(made.path, file) === made.fingerprint
}

async function hasEntries(dir: string): Promise<boolean> {
  const folder = await opendir(dir).catch(() => null)
  if (!folder) return false
  const first = await folder.read()
  await folder.close()
  return first !== null
}

export const sweepFolderMedia = defineJob({
  name: 'sweep-folder-media',
  payload: z.object({}),
  retries: 0,
  timeLimitSeconds: 600,
  schedule: '13 3 * * *',
  run: sweepMadeMedia,
})
