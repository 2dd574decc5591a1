/**
 * Token buckets: the arithmetic that every store shares, and the store that keeps them in memory.
 * A full bucket holds `requests` tokens and an empty one is full again after `windowMs`.
 */

/** Both are whole numbers from 1 up; the settings see to that. */
export type LimitRule = { requests: number; windowMs: number }

export type Taken = {
  allowed: boolean
  /** Whole tokens that are left. */
  remaining: number
  fullAtMs: number
  /** 0 when allowed. */
  retryAfterMs: number
}

export type LimitStore = {
  take(key: string, rule: LimitRule): Promise<Taken>
  /** Gives one token back, never above the rule's requests. */
  refund(key: string, rule: LimitRule): Promise<Taken>
  close(): Promise<void>
}

/**
 * The level counts in parts of a token, `windowMs` parts each: then `requests` parts flow in every
 * millisecond, all numbers stay whole, and no rounding ever grants or loses a token.
 */
export type Bucket = { level: number; atMs: number }

export type Movement = 'take' | 'refund'

/** No bucket is a full one. */
export function moveToken(
  kept: Bucket | undefined,
  movement: Movement,
  rule: LimitRule,
  nowMs: number,
): { bucket: Bucket; allowed: boolean } {
  const fullLevel = rule.requests * rule.windowMs
  // A clock that went back, or another node's that is behind, refills nothing and takes nothing.
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

/** After this long without a request a bucket has been full for a whole window and is forgotten. */
export const idleMs = (rule: LimitRule): number => 2 * rule.windowMs

/** Levels mean nothing under another rule, so a changed setting begins with full buckets. */
export const ruleName = (rule: LimitRule): string => `${rule.requests}/${rule.windowMs}`

/**
 * Forgets without a search or a timer: the buckets of a rule are kept in two maps, and every use
 * puts a bucket into the young one. Each twice the window the old map is thrown away whole and the
 * young one takes its place.
 */
export function createMemoryLimitStore(options: {
  nowMs: () => number
  /** The most buckets of one rule; beyond it those that were idle longest are forgotten sooner. */
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
  // After two turns' time without a request the young ones, too, have been idle for long enough.
  const bothAreIdle = nowMs - shelf.turnedAtMs >= 2 * shelf.idleMs
  shelf.old = bothAreIdle ? new Map() : shelf.young
  shelf.young = new Map()
  shelf.turnedAtMs = nowMs
}
