/**
 * Scripts and styles of the last builds of the web client, kept in the data folder. A page that was
 * opened before an update still loads the parts of its own version. Without them a dialog or the next
 * page would be missing. File names contain a hash of the content, so builds do not conflict.
 */
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'

/** Includes the running build. A page is seldom open for longer than two updates. */
const keptBuilds = 3

const buildList = z.array(z.array(z.string()))

/** Adds the build in `webFolder` to the builds in `keptFolder`, and removes the oldest. */
export async function keepBuild(webFolder: string, keptFolder: string): Promise<void> {
  const assets = join(keptFolder, 'assets')
  const listFile = join(keptFolder, '.builds.json')
  await mkdir(assets, { recursive: true })
  const current = await filesIn(join(webFolder, 'assets'))
  const known = await readBuilds(listFile)
  const isCurrent = (files: readonly string[]) => files.join() === current.join()
  // The same build was restarted. The list is written after its files, so they are complete.
  if (known[0] && isCurrent(known[0])) return
  const others = known.filter((files) => !isCurrent(files))
  const builds = [current, ...others].slice(0, keptBuilds)
  const there = new Set(await filesIn(assets))
  const missing = current.filter((name) => !there.has(name))
  const folders = new Set(missing.map((name) => dirname(join(assets, name))))
  for (const folder of folders) await mkdir(folder, { recursive: true })
  await Promise.all(
    missing.map((name) => copyFile(join(webFolder, 'assets', name), join(assets, name))),
  )
  await writeFile(listFile, JSON.stringify(builds))
  const named = new Set(builds.flat())
  for (const name of there) if (!named.has(name)) await rm(join(assets, name), { force: true })
}

/** Lists files, including those in the folders of languages. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return files.map((file) => relative(folder, join(file.parentPath, file.name))).toSorted()
}

/** Returns an empty list if the file is missing or damaged. Files of earlier builds are then removed. */
async function readBuilds(file: string): Promise<string[][]> {
  try {
    return buildList.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    return []
  }
}
