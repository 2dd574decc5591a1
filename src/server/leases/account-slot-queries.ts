/** The SQL of the few places that an account has at a time. */
import { sql } from 'kysely'
import type { Context } from '../context.ts'

export type SlotPlace = {
  readonly kind: string
  readonly userId: string
  readonly holder: string
}

/**
 * Takes the first place that is free or whose lease has ended. False where there is none, or where
 * somebody else has just taken that one.
 */
export async function insertSlot(
  ctx: Context,
  { kind, userId, holder }: SlotPlace,
  { atMost, leaseUntil }: { readonly atMost: number; readonly leaseUntil: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into account_slots (kind, user_id, slot, holder, lease_until)
    select ${kind}, ${userId}, place, ${holder}::uuid, ${leaseUntil}::timestamptz
    from generate_series(1, ${atMost}::int) place
    where not exists (
      select from account_slots
      where kind = ${kind} and user_id = ${userId} and slot = place
        and lease_until > ${ctx.now()})
    order by place limit 1
    on conflict (kind, user_id, slot) do update
      set holder = excluded.holder, lease_until = excluded.lease_until
      where account_slots.lease_until <= ${ctx.now()}
    returning slot`.execute(ctx.db)
  return rows.length > 0
}

export async function renewSlot(
  ctx: Context,
  { kind, userId, holder }: SlotPlace,
  leaseUntil: Date,
): Promise<void> {
  await ctx.db
    .updateTable('account_slots')
    .set({ lease_until: leaseUntil })
    .where('kind', '=', kind)
    .where('user_id', '=', userId)
    .where('holder', '=', holder)
    .execute()
}

export async function deleteSlot(ctx: Context, { kind, userId, holder }: SlotPlace): Promise<void> {
  await ctx.db
    .deleteFrom('account_slots')
    .where('kind', '=', kind)
    .where('user_id', '=', userId)
    .where('holder', '=', holder)
    .execute()
}
