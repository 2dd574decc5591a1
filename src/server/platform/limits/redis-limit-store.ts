/**
 * Token buckets that all nodes share through Redis. One script reads and writes a bucket atomically, in one
 * round trip. Without Redis each node counts for itself.
 */
import { createHash } from 'node:crypto'
import { createMemoryLimitStore, describeTaken, idleMs, ruleName } from './limit-store.ts'
import type { LimitRule, LimitStore, Movement, Taken } from './limit-store.ts'
import type { OutageLog } from '../outage-log.ts'
import { quietLog } from '../outage-log.ts'
import { outageNotice } from './redis-notice.ts'
import type { Redis, RedisClient } from './redis.ts'

/**
 * Creates a store that uses the node's own buckets while Redis is unavailable. Refusing every request would
 * let a Redis failure take the service down. Allowing every request would let attackers guess passwords. At
 * worst a caller gets the limit once more on each node.
 */
export function createRedisLimitStore(
  redis: Redis,
  options: { nowMs: () => number; log?: OutageLog },
): LimitStore {
  const ownBuckets = createMemoryLimitStore(options)
  const notice = outageNotice(options.log ?? quietLog, {
    lost: 'Rate limits are counted by this node only',
    back: 'Rate limits are shared through Redis again',
  })

  async function move(key: string, movement: Movement, rule: LimitRule): Promise<Taken> {
    const nowMs = Math.floor(options.nowMs())
    try {
      const reply = await redis.ask((client) => runScript(client, { key, movement, rule, nowMs }))
      notice.back()
      return describeTaken(readReply(reply), rule, nowMs)
    } catch (error) {
      notice.lost(error)
      return await ownBuckets[movement](key, rule)
    }
  }

  return {
    take: (key, rule) => move(key, 'take', rule),
    refund: (key, rule) => move(key, 'refund', rule),
    // The connection is shared. Its owner closes it.
    close: () => ownBuckets.close(),
  }
}

/**
 * The same arithmetic as `moveToken`; the tests compare the two. The time is the caller's instead of the
 * server's, so that a test can move it. Numbers are formatted in full, because Lua would round them.
 */
const script = `
local movement = ARGV[1]
local requests, window, now, idle = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local fullLevel = requests * window
local level, at = fullLevel, now
local keptLevel, keptAt = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (%d+)$')
if keptLevel then
  at = math.max(now, tonumber(keptAt))
  level = math.min(fullLevel, tonumber(keptLevel) + (at - tonumber(keptAt)) * requests)
end
local allowed = 1
if movement == 'refund' then
  level = math.min(fullLevel, level + window)
elseif level >= window then
  level = level - window
else
  allowed = 0
end
redis.call('SET', KEYS[1], string.format('%.0f %.0f', level, at), 'PX', idle)
return { allowed, level, at }
`

const scriptSha1 = createHash('sha1').update(script).digest('hex')

async function runScript(
  client: RedisClient,
  asked: { key: string; movement: Movement; rule: LimitRule; nowMs: number },
): Promise<unknown> {
  const { rule } = asked
  const input = {
    keys: [`lanternist:limit:${ruleName(rule)}:${asked.key}`],
    arguments: [
      asked.movement,
      ...[rule.requests, rule.windowMs, asked.nowMs, idleMs(rule)].map(String),
    ],
  }
  try {
    return await client.evalSha(scriptSha1, input)
  } catch (error) {
    // A Redis that restarted has lost the script. EVAL with the full script stores it again.
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error
    return await client.eval(script, input)
  }
}

function readReply(reply: unknown) {
  const [allowed, level, atMs] = Array.isArray(reply) ? reply.map(Number) : []
  if (allowed === undefined || level === undefined || atMs === undefined) {
    throw new Error('The rate limit script returned an unexpected result')
  }
  return { allowed: allowed === 1, bucket: { level, atMs } }
}
