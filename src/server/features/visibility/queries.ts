/** The SQL of hidden files and sessions. */
import type { Context } from '../../context.ts'
import { runStatement } from '../../database/statement.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'

export type TakedownOfFile = { readonly ownerId: string | null; readonly isQuarantine: boolean }

const takedownsOfFile = `
  select t.owner_id as "ownerId", t.is_quarantine as "isQuarantine"
  from hidden_files h join takedowns t on t.id = h.takedown_id
  where h.bucket = $1 and h.key = $2`

export function findTakedownsOfFile(
  ctx: Context,
  { bucket, key }: FileAddress,
): Promise<TakedownOfFile[]> {
  return runStatement<TakedownOfFile>(ctx, takedownsOfFile, [bucket, key])
}

export async function isHiddenSession(ctx: Context, sessionId: number): Promise<boolean> {
  const rows = await runStatement(
    ctx,
    'select from hidden_sessions where session_id = $1 limit 1',
    [sessionId],
  )
  return rows.length > 0
}

/** True when the session is hidden even from its owner, who could destroy the evidence. */
export async function isQuarantinedSession(ctx: Context, sessionId: number): Promise<boolean> {
  const rows = await runStatement(
    ctx,
    "select from takedowns where session_id = $1 and state <> 'lifted' and is_quarantine",
    [sessionId],
  )
  return rows.length > 0
}
