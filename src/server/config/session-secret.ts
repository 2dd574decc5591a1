/** The secret of a development start: made once, kept in DATA_DIR, so that sign-ins outlive a restart. */
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export function storedSessionSecret(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = join(dataDir, 'session-secret')
  const draft = `${file}.${process.pid}`
  // Written whole under another name, then linked: a killed start leaves no half secret.
  writeFileSync(draft, randomBytes(32).toString('hex'), { mode: 0o600 })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (!isExisting(error)) throw error
  } finally {
    rmSync(draft)
  }
  return readFileSync(file, 'utf8')
}

function isExisting(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}
