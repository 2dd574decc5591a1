/** The SQL of cards. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Lease } from '../../leases/lease.ts'
import { acquireLease, leaseHasEnded, heldCondition } from '../../leases/lease.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { fileIsHidden } from '../visibility/visibility.ts'

/** The time after which a picture that could not be read is tried again. */
const failureMs = 10 * 60 * 1000
/** The time for which a picture of another site is shown without a new look at it. */
const remoteMs = 24 * 60 * 60 * 1000

/** The lease of the node that makes a card. */
const cardLease = {
  table: 'session_cards',
  holder: 'claim',
  time: { endsAt: 'lease_until' },
  durationMs: 30_000,
  unfinished: sql<boolean>`session_cards.lease_until is not null`,
} as const

type Wanted = { readonly sessionId: number; readonly source: string }

/** SQL: true when the row is finished, was made from this source, and may still be shown. */
function isCurrent(ctx: Context, source: string) {
  const ago = (ms: number) => sql`${new Date(ctx.now().getTime() - ms)}::timestamptz`
  return sql<boolean>`(session_cards.lease_until is null and session_cards.source = ${source}
    and session_cards.made_at > case when session_cards.key is null then ${ago(failureMs)}
      when session_cards.of_key is null then ${ago(remoteMs)} else '-infinity' end
    and not ${sql.raw(fileIsHidden('user-media', 'session_cards.key'))})`
}

/** Returns the card, with a null key if none can be made at present, or undefined if it is to be made. */
export async function findCard(
  ctx: Context,
  { sessionId, source }: Wanted,
): Promise<{ key: string | null } | undefined> {
  return ctx.db
    .selectFrom('session_cards')
    .select('key')
    .where('session_id', '=', sessionId)
    .where(isCurrent(ctx, source))
    .executeTakeFirst()
}

/** Returns null if the card is current, or another node is making it. */
export function acquireCard(ctx: Context, { sessionId, source }: Wanted): Promise<Lease | null> {
  return acquireLease(
    ctx,
    cardLease,
    { session_id: sessionId },
    {
      values: { source },
      mayTakeOver: sql<boolean>`(${leaseHasEnded(ctx, cardLease)}
        or session_cards.lease_until is null and not ${isCurrent(ctx, source)})`,
    },
  )
}

/** Stores the card, or that there is none. Returns false if another node has taken over. */
export async function finishCard(
  ctx: Context,
  lease: Lease,
  { key, of }: { readonly key: string | null; readonly of: FileAddress | null },
): Promise<boolean> {
  const { rows } = await sql`
    update session_cards set lease_until = null, key = ${key}, made_at = ${ctx.now()},
      (of_bucket, of_key) = (select r.bucket, r.key from media_renditions r
        where r.bucket = ${of?.bucket ?? null} and r.key = ${of?.key ?? null})
    where ${heldCondition(lease)} returning session_id`.execute(ctx.db)
  return rows.length > 0
}
