/**
 * Token buckets: the arithmetic that all stores share, and the store in memory. A full bucket has
 * `requests` tokens, and an empty one is full again after `windowMs`.
 */

/** A limit. Both are whole numbers from 1 up; the settings check that. */
export type LimitRule = { requests: number; windowMs: number }

export type Taken = {
  allowed: boolean
  /** The number of whole tokens left. */
  remaining: number
  fullAtMs: number
  /** 0 when allowed. */
  retryAfterMs: number
}

export type LimitStore = {
  take(key: string, rule: LimitRule): Promise<Taken>
  /** Returns one token, never above the rule's limit. */
  refund(key: string, rule: LimitRule): Promise<Taken>
  close(): Promise<void>
}

/**
 * A bucket. `level` counts fractions of a token, `windowMs` fractions per token. So `requests` fractions
 * are added each millisecond, all numbers are whole, and no rounding adds or loses a token.
 */
export type Bucket = { level: number; atMs: number }

export type Movement = 'take' | 'refund'

/** Takes or returns a token. A missing bucket counts as full. */
export function moveToken(
  kept: Bucket | undefined,
  movement: Movement,
  rule: LimitRule,
  nowMs: number,
): { bucket: Bucket; allowed: boolean } {
  const fullLevel = rule.requests * rule.windowMs
  // A clock that moved back, or another node's clock that is behind, changes nothing.
  const atMs = Math.max(nowMs, kept?.atMs ?? nowMs)
  const refilled = kept ? kept.level + (atMs - kept.atMs) * rule.requests : fullLevel
  const level = Math.min(fullLevel, refilled)
  if (movement === 'refund') {
    return { bucket: { level: Math.min(fullLevel, level + rule.windowMs), atMs }, allowed: true }
  }
  const allowed = level >= rule.windowMs
  return { bucket: { level: allowed ? level - rule.windowMs : level, atMs }, allowed }
}

export function describeTaken(
  { bucket, allowed }: { bucket: Bucket; allowed: boolean },
  rule: LimitRule,
  nowMs: number,
): Taken {
  const missing = rule.requests * rule.windowMs - bucket.level
  const waitMs = bucket.atMs - nowMs + Math.ceil((rule.windowMs - bucket.level) / rule.requests)
  return {
    allowed,
    remaining: Math.floor(bucket.level / rule.windowMs),
    fullAtMs: bucket.atMs + Math.ceil(missing / rule.requests),
    retryAfterMs: allowed ? 0 : waitMs,
  }
}

/** Returns the idle time after which a bucket is forgotten: it has been full for a whole window. */
export const idleMs = (rule: LimitRule): number => 2 * rule.windowMs

/** Returns a name for the rule. It is part of the key, so a changed setting starts with full buckets. */
export const ruleName = (rule: LimitRule): string => `${rule.requests}/${rule.windowMs}`

/**
 * Creates a store that forgets idle buckets without a search or a timer. The buckets of a rule are in two
 * maps, and every use puts a bucket into the young one. After two windows the old map is dropped and the
 * young map takes its place.
 */
export function createMemoryLimitStore(options: {
  nowMs: () => number
  /** The maximum number of buckets per rule. Above it, the buckets idle the longest are forgotten early. */
  maxBuckets?: number
}): LimitStore & { bucketCount(): number } {
  const maxYoung = Math.ceil((options.maxBuckets ?? 200_000) / 2)
  const shelves = new Map<string, Shelf>()

  async function move(key: string, movement: Movement, rule: LimitRule): Promise<Taken> {
    const nowMs = Math.floor(options.nowMs())
    for (const shelf of shelves.values()) {
      if (nowMs - shelf.turnedAtMs >= shelf.idleMs) turn(shelf, nowMs)
    }
    const shelf = shelves.get(ruleName(rule)) ?? addShelf(rule, nowMs)
    const moved = moveToken(shelf.young.get(key) ?? shelf.old.get(key), movement, rule, nowMs)
    shelf.young.set(key, moved.bucket)
    if (shelf.young.size >= maxYoung) turn(shelf, nowMs)
    return describeTaken(moved, rule, nowMs)
  }

  function addShelf(rule: LimitRule, nowMs: number): Shelf {
    const shelf = { idleMs: idleMs(rule), turnedAtMs: nowMs, young: new Map(), old: new Map() }
    shelves.set(ruleName(rule), shelf)
    return shelf
  }

  return {
    take: (key, rule) => move(key, 'take', rule),
    refund: (key, rule) => move(key, 'refund', rule),
    close: async () => shelves.clear(),
    bucketCount() {
      let count = 0
      for (const { young, old } of shelves.values()) count += young.size + old.size
      return count
    },
  }
}

/** The buckets of one rule. */
type Shelf = {
  idleMs: number
  turnedAtMs: number
  young: Map<string, Bucket>
  old: Map<string, Bucket>
}

function turn(shelf: Shelf, nowMs: number): void {
  // After two such periods without a request, the young buckets have been idle for long enough too.
  const bothAreIdle = nowMs - shelf.turnedAtMs >= 2 * shelf.idleMs
  shelf.old = bothAreIdle ? new Map() : shelf.young
  shelf.young = new Map()
  shelf.turnedAtMs = nowMs
}
