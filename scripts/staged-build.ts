/**
 * Builds a part of dist/ if its sources have changed, so that a start never serves an old page and seldom
 * waits. Several starts at once are safe: each builds into its own folder, and the first to finish puts its
 * result in place.
 */
import { createHash } from 'node:crypto'
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { join, resolve } from 'node:path'

export type StagedBuild = {
  /** The folder in dist/. */
  readonly name: string
  /** The name in messages. */
  readonly words: string
  /** Files and folders whose contents decide if it is stale. */
  readonly sources: readonly string[]
  /** Fills an empty folder, which is in dist/ under a temporary name. */
  readonly make: (root: string, folder: string) => Promise<void>
}

export type BuildOptions = {
  /** The root of the repository. Default: this one. */
  root?: string
  print?: (text: string) => void
}

/** Builds if needed. On failure it throws the reason and keeps the previous build. */
export async function buildIfStale(
  build: StagedBuild,
  options: BuildOptions,
): Promise<'built' | 'up to date'> {
  const { root = resolve(import.meta.dirname, '..'), print = printToTerminal } = options
  const stamp = await hashSources(root, build.sources)
  if ((await stampOf(join(root, 'dist', build.name))) === stamp) {
    print(`${build.words} is up to date\n`)
    return 'up to date'
  }
  print(`building the ${build.words} … `)
  const startMs = performance.now()
  try {
    await buildStaged(build, root, stamp)
  } catch (error) {
    print('failed\n')
    throw error
  }
  print(`done in ${((performance.now() - startMs) / 1000).toFixed(1)} s\n`)
  return 'built'
}

async function buildStaged(
  { name, make }: StagedBuild,
  root: string,
  stamp: string,
): Promise<void> {
  const dist = join(root, 'dist')
  const prefix = `.${name}-`
  await mkdir(dist, { recursive: true })
  await removeAbandoned(dist, prefix)
  const staging = await mkdtemp(join(dist, prefix))
  try {
    // The service may run as another user than the build.
    await chmod(staging, 0o755)
    await make(root, staging)
    await writeFile(join(staging, '.stamp'), stamp)
    await putInPlace(staging, join(dist, name), stamp)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/** Replaces the folder: a rename over a non-empty folder fails, so the old one is moved away first. */
async function putInPlace(staging: string, target: string, stamp: string): Promise<void> {
  const aside = `${staging}-old`
  for (let attempt = 0; attempt < 10; attempt++) {
    if ((await stampOf(target)) === stamp) return
    await rename(target, aside).catch(ignore('ENOENT'))
    const isPlaced = await rename(staging, target).then(() => true, ignore('ENOTEMPTY', 'EEXIST'))
    await rm(aside, { recursive: true, force: true })
    if (isPlaced) return
  }
  throw new Error(`${target} is being changed by other builds all the time`)
}

/** Removes the folders of killed builds. An hour is longer than any build takes. */
async function removeAbandoned(dist: string, prefix: string): Promise<void> {
  for (const name of await readdir(dist)) {
    if (!name.startsWith(prefix)) continue
    const folder = join(dist, name)
    const info = await stat(folder).catch(ignore('ENOENT'))
    if (info && Date.now() - info.mtimeMs > 3_600_000) {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

async function stampOf(folder: string): Promise<string | undefined> {
  return await readFile(join(folder, '.stamp'), 'utf8').catch(ignore('ENOENT'))
}

async function hashSources(root: string, sources: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const file of await filesUnder(root, source)) {
      const content = await readFile(join(root, file))
      hash.update(`${file}\n${content.length}\n`).update(content)
    }
  }
  return hash.digest('hex')
}

async function filesUnder(root: string, source: string): Promise<string[]> {
  const info = await stat(join(root, source)).catch(ignore('ENOENT'))
  if (!info) return []
  if (!info.isDirectory()) return [source]
  const entries = await readdir(join(root, source), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
}

function ignore(...codes: string[]): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof Error && 'code' in error && codes.includes(String(error.code))) return
    throw error
  }
}

function printToTerminal(text: string): void {
  process.stdout.write(text)
}
