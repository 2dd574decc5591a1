/**
 * Native programs that npm ships for most platforms, but not for every one that the service runs
 * on. Tests that need one are skipped by name where it is missing.
 */
import { createRequire } from 'node:module'
import { describe, test } from 'vitest'

const { resolve } = createRequire(import.meta.url)

/** Throws where npm has none for this platform. */
export function anvilBinary(): string {
  const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'
  const [suffix, platform] =
    process.platform === 'win32' ? ['.exe', 'win32'] : ['', process.platform]
  return resolve(`@foundry-rs/anvil-${platform}-${architecture}/bin/anvil${suffix}`)
}

export function hasAnvil(): boolean {
  try {
    return anvilBinary() !== ''
  } catch {
    return false
  }
}

/** Tests on a real chain. */
export function describeOnChain(what: string, body: () => void): void {
  if (!hasAnvil()) console.info(`skipped, as ${anvilMissing}: ${what}`)
  // oxlint-disable-next-line vitest/valid-title, vitest/no-disabled-tests -- the caller names it
  describe.skipIf(!hasAnvil())(what, () => {
    body()
  })
}

export const anvilMissing = `npm has no anvil for ${process.platform} on ${process.arch}`

/** A test that decodes video. */
export function testDecoding(promise: string, body: () => Promise<void>): void {
  // oxlint-disable-next-line vitest/valid-title -- the caller states the promise
  test(promise, async ({ skip }) => {
    const codecs = await import('@napi-rs/webcodecs').catch(() => null)
    if (!codecs) {
      const reason = `npm has no video decoder for ${process.platform} on ${process.arch}`
      console.info(`skipped, as ${reason}: ${promise}`)
      skip(reason)
    }
    await body()
  })
}
