/**
 * Native programs that npm ships for most platforms, but not for all that the service supports. Tests that
 * need a missing one are skipped and named.
 */
import { createRequire } from 'node:module'
import { describe, test } from 'vitest'

const { resolve } = createRequire(import.meta.url)

/** Throws if npm has none for this platform. */
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

/** Describes tests on a real chain. */
export function describeOnChain(what: string, body: () => void): void {
  if (!hasAnvil()) console.info(`skipped, as ${anvilMissing}: ${what}`)
  // oxlint-disable-next-line vitest/valid-title, vitest/no-disabled-tests -- the caller names it
  describe.skipIf(!hasAnvil())(what, () => {
    body()
  })
}

export const anvilMissing = `npm has no anvil for ${process.platform} on ${process.arch}`

/** Declares a test that decodes video. */
export function testDecoding(promise: string, body: () => Promise<void>): void {
  // oxlint-disable-next-line vitest/valid-title -- the caller states the promise
  test(promise, async ({ skip }) => {
    const codecs = await import('@napi-rs/webcodecs').catch(() => null)
    skip(!codecs, `npm has no video decoder for ${process.platform} on ${process.arch}`)
    await body()
  })
}
