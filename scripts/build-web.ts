/** Builds the web client into dist/web. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { BuildOptions } from './staged-build.ts'
import { buildIfStale } from './staged-build.ts'

const sources = [
  'src/web',
  'src/contract',
  'src/client',
  'scripts/web-build',
  'vite.config.ts',
  'package-lock.json',
]

export function buildWebIfStale(options: BuildOptions = {}): Promise<'built' | 'up to date'> {
  return buildIfStale({ name: 'web', words: 'web client', sources, make: buildWeb }, options)
}

/** Builds the client. `languages` is a folder of translations that replaces the client's own. */
export async function buildWeb(root: string, folder: string, languages?: string): Promise<void> {
  await runVite(root, folder, languages)
  await compressAssets(join(folder, 'assets'))
}

/** Compresses each file once, at the highest quality, for the server to send to clients that accept it. */
async function compressAssets(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true })
  const names = files.filter((name) => /\.(js|css|svg)$/.test(name))
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  await Promise.all(
    names.map(async (name) => {
      const packed = await promisify(brotliCompress)(await readFile(join(folder, name)), { params })
      await writeFile(join(folder, `${name}.br`), packed)
    }),
  )
}

/**
 * Runs Vite in a child process and always for production: Vite writes NODE_ENV into its own process, and
 * the service's NODE_ENV must not cause a development build of the client.
 */
async function runVite(root: string, outDir: string, languages?: string): Promise<void> {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  if (!existsSync(vite)) {
    throw new Error('the web client cannot be built: the development dependencies are missing')
  }
  const child = spawn(process.execPath, [vite, 'build', '--outDir', outDir, '--logLevel', 'warn'], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      ...(languages !== undefined && { LANGUAGES_FOLDER: languages }),
    },
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
