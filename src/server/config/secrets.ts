/**
 * The secrets that sign and encrypt. Production requires one that cannot be guessed. A development start
 * creates one and stores it in DATA_DIR, so that sign-ins survive a restart.
 */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { SigningSecrets } from '../platform/signature.ts'
import { reasonOf } from '../platform/start-error.ts'
import type { Read } from './environment.ts'
import { SettingError } from './setting.ts'
import { settings } from './settings.ts'

type Deployment = { readonly production: boolean; readonly dataDir: string }

const minVariety = 8

export function readSessionSecrets(read: Read, deployment: Deployment): SigningSecrets {
  const current = readSessionSecret(read, deployment)
  const previous = read(settings.sessionSecretPrevious)
  if (previous === current)
    throw new SettingError(settings.sessionSecretPrevious.name, 'is the same as SESSION_SECRET')
  return previous === undefined ? [current] : [current, previous]
}

/** Checks only the first key, which encrypts. The others may be weak, so that they can be replaced. */
export function readSecretKeys(read: Read, production: boolean): string[] {
  const [first, ...others] = read(settings.secretKeys)
  if (first === undefined) return []
  if (production) requireVariety(settings.secretKeys.name, first)
  return [first, ...others]
}

function readSessionSecret(read: Read, { production, dataDir }: Deployment): string {
  const { name } = settings.sessionSecret
  const given = read(settings.sessionSecret)
  if (production && !given) throw new SettingError(name, 'is required in production')
  if (production && given) requireVariety(name, given)
  if (given) return given
  try {
    return storedSessionSecret(dataDir)
  } catch (error) {
    throw new SettingError('DATA_DIR', `cannot be written: ${reasonOf(error)}`)
  }
}

/**
 * Refuses a secret that is easy to guess because it repeats or counts up: it has few different characters,
 * or few different steps between characters.
 */
function requireVariety(name: string, secret: string): void {
  const codes = Array.from(secret, (character) => character.codePointAt(0) ?? 0)
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0))
  if (Math.min(new Set(codes).size, new Set(steps).size) < minVariety)
    throw new SettingError(
      name,
      "must be random, for example the output of 'openssl rand -base64 32'",
    )
}

function storedSessionSecret(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = join(dataDir, 'session-secret')
  const draft = `${file}.${process.pid}`
  // Written completely under another name, then linked. So a killed start or a power cut leaves neither a
  // partial secret nor a lost one after people have signed in.
  writeSynced(draft, randomBytes(32).toString('hex'))
  try {
    linkSync(draft, file)
  } catch (error) {
    if (!isExisting(error)) throw error
  } finally {
    rmSync(draft)
  }
  return readFileSync(file, 'utf8')
}

function writeSynced(path: string, text: string): void {
  const file = openSync(path, 'w', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function isExisting(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}
