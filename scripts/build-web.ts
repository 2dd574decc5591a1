/**
 * Builds the web client when what it is made from has changed, so that starting the service never
 * shows an old page and seldom waits. Several starts at once are safe: each builds into a folder of
 * its own, and the first to finish puts its result in place.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

const sources = [
  'src/web',
  'src/contract',
  'src/client',
  'scripts/web-build',
  'vite.config.ts',
  'package-lock.json',
]

export type BuildOptions = {
  /** The repository; this one unless told. */
  root?: string
  print?: (text: string) => void
}

/** Leaves an up-to-date client in dist/web, or throws with the reason and leaves what was there. */
export async function buildWebIfStale(options: BuildOptions = {}): Promise<'built' | 'up to date'> {
  const { root = resolve(import.meta.dirname, '..'), print = printToTerminal } = options
  const stamp = await hashSources(root)
  if ((await stampOf(join(root, 'dist/web'))) === stamp) {
    print('web client is up to date\n')
    return 'up to date'
  }
  print('building the web client … ')
  const startMs = performance.now()
  try {
    await build(root, stamp)
  } catch (error) {
    print('failed\n')
    throw error
  }
  print(`done in ${((performance.now() - startMs) / 1000).toFixed(1)} s\n`)
  return 'built'
}

async function build(root: string, stamp: string): Promise<void> {
  const dist = join(root, 'dist')
  await mkdir(dist, { recursive: true })
  await removeAbandoned(dist)
  const staging = await mkdtemp(join(dist, '.web-'))
  try {
    await runVite(root, staging)
    await compressAssets(join(staging, 'assets'))
    await writeFile(join(staging, '.stamp'), stamp)
    await putInPlace(staging, join(dist, 'web'), stamp)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

/** Once, as well as it can be done: the server sends what lies beside a file to whoever takes it. */
async function compressAssets(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /\.(js|css|svg)$/.test(name))
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  await Promise.all(
    names.map(async (name) => {
      const packed = await promisify(brotliCompress)(await readFile(join(folder, name)), { params })
      await writeFile(join(folder, `${name}.br`), packed)
    }),
  )
}

/**
 * In a process of its own and always for production: Vite writes NODE_ENV into the process it runs
 * in, and a NODE_ENV of the service's must not turn the client into a development build.
 */
async function runVite(root: string, outDir: string): Promise<void> {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  if (!existsSync(vite)) {
    throw new Error('the web client cannot be built: the development dependencies are missing')
  }
  const child = spawn(process.execPath, [vite, 'build', '--outDir', outDir, '--logLevel', 'warn'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  child.stdout.on('data', (chunk) => (said += chunk))
  child.stderr.on('data', (chunk) => (said += chunk))
  const exitCode = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (exitCode !== 0) throw new Error(`the web client cannot be built:\n${said.trim()}`)
}

/** A folder cannot be renamed over a full one, so the old one steps aside first. */
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

/** Builds that were killed leave their folders behind; an hour is longer than any build takes. */
async function removeAbandoned(dist: string): Promise<void> {
  for (const name of await readdir(dist)) {
    if (!name.startsWith('.web-')) continue
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

async function hashSources(root: string): Promise<string> {
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

if (process.argv[1] === import.meta.filename) {
  try {
    await buildWebIfStale()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
