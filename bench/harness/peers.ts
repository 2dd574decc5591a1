/** The packages of bench/package.json, which only the conventional contender needs. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import type { ContenderName } from './contenders.ts'

const folder = resolve(import.meta.dirname, '..')

/** Installs them into bench/node_modules if they are missing or older than the lockfile. */
export async function installPeers(progress: (text: string) => void): Promise<void> {
  const installed = join(folder, 'node_modules/.package-lock.json')
  const wanted = join(folder, 'package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return
  progress('installing what the benchmarks compare with\n')
  const npm = spawn('npm', ['ci', '--ignore-scripts', '--include=dev'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  const [code] = (await once(npm, 'exit')) as [number | null]
  if (code !== 0) progress('npm ci failed in bench/\n')
}

/** Returns the contenders that cannot run because packages are missing, with the reasons. */
export function contendersWithoutPackages(): Map<ContenderName, string> {
  const absent = Object.keys(packageJson.dependencies).filter((name) => !isInstalled(name))
  if (absent.length === 0) return new Map()
  const reason = `not installed: ${absent.join(', ')} (npm ci --prefix bench)`
  return new Map([['conventional', reason]])
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}
