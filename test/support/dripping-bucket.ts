/**
 * A reference token bucket, too simple to be wrong, to compare with the real ones, and generated steps for
 * both.
 */
import * as fc from 'fast-check'
import type { LimitRule, LimitStore } from '../../src/server/platform/limits/limit-store.ts'

export type Step = { afterMs: number; movement: 'take' | 'refund' }

/**
 * Windows long enough that no bucket in Redis expires by the server's clock while the test's clock stands
 * still.
 */
export const rules = fc.record({
  requests: fc.integer({ min: 1, max: 7 }),
  windowMs: fc.integer({ min: 5000, max: 20_000 }),
})

export const steps = (time: { minMs: number; maxMs: number }) =>
  fc.array(
    fc.record({
      afterMs: fc.integer({ min: time.minMs, max: time.maxMs }),
      movement: fc.constantFrom<Step['movement'][]>('take', 'take', 'take', 'refund'),
    }),
    { maxLength: 30 },
  )

/** Returns the results of the store and of the reference bucket at each step. */
export async function walkBoth(
  { store, key, clock }: { store: LimitStore; key: string; clock: { ms: number } },
  rule: LimitRule,
  walk: Step[],
) {
  const model = drippingBucket(rule, clock.ms)
  const said: { allowed: boolean; remaining: number }[] = []
  const expected: typeof said = []
  for (const [index, { afterMs, movement }] of walk.entries()) {
    // The first step creates the bucket, so both start at the same moment.
    if (index > 0) clock.ms += afterMs
    expected.push({
      allowed: model.move(movement, clock.ms),
      remaining: model.wholeTokens(),
    })
    const { allowed, remaining } = await store[movement](key, rule)
    said.push({ allowed, remaining })
  }
  return { said, expected }
}

/** The simplest bucket: tokens are added millisecond by millisecond. */
function drippingBucket(rule: LimitRule, nowMs: number) {
  const fullParts = rule.requests * rule.windowMs
  let tokenParts = fullParts
  let atMs = nowMs
  return {
    move(movement: Step['movement'], clockMs: number): boolean {
      for (; atMs < clockMs; atMs += 1) tokenParts = Math.min(fullParts, tokenParts + rule.requests)
      const allowed = movement === 'refund' || tokenParts >= rule.windowMs
      const change = movement === 'refund' ? rule.windowMs : -rule.windowMs
      if (allowed) tokenParts = Math.min(fullParts, tokenParts + change)
      return allowed
    },
    wholeTokens: () => Math.floor(tokenParts / rule.windowMs),
  }
}
