/**
 * Hidden files and sessions: every access to a file or session checks here. Rows exist in
 * `hidden_files` and `hidden_sessions` exactly while a takedown is in force.
 */
import type { Context } from '../../context.ts'
import type { SignedInUser } from '../../http/caller.ts'
import { problem } from '../../http/problem.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { publishedIsAdult } from './adult-sessions.ts'
import type { TakedownOfFile } from './queries.ts'
import { findTakedownsOfFile, isHiddenSession } from './queries.ts'

export {
  adultsOnly,
  isOfAgeFor,
  maySeeAdult,
  publishedIsAdult,
  sessionIsAdult,
  slideIsForAdults,
  viewerOf,
} from './adult-sessions.ts'
export { isHiddenSession, isQuarantinedSession } from './queries.ts'

/**
 * A column with its table. An unqualified name would refer to the subquery's own table. The condition
 * would compare the table with itself and always be true.
 */
type QualifiedColumn = `${string}.${string}`

/** SQL: true when the file in this column is hidden. */
export const fileIsHidden = (bucket: 'general' | 'user-media', column: QualifiedColumn) =>
  `exists (select from hidden_files hidden_file
    where hidden_file.bucket = '${bucket}' and hidden_file.key = ${column})`

/** SQL: true when the session in this column is hidden. */
export const sessionIsHidden = (column: QualifiedColumn) =>
  `exists (select from hidden_sessions hidden_session where hidden_session.session_id = ${column})`

/** SQL: true when the session in this column is hidden even from its owner. */
export const sessionIsQuarantined = (column: QualifiedColumn) =>
  `exists (select from takedowns quarantine where quarantine.session_id = ${column}
    and quarantine.state <> 'lifted' and quarantine.is_quarantine)`

/** SQL: true when the file in this column is hidden even from its owner. */
export const fileIsQuarantined = (bucket: 'general' | 'user-media', column: QualifiedColumn) =>
  addressIsQuarantined(`'${bucket}'`, column)

/** SQL: the same condition with the bucket in a column too. */
export const addressIsQuarantined = (
  bucket: QualifiedColumn | `'${string}'`,
  column: QualifiedColumn,
) =>
  `exists (select from hidden_files quarantined join takedowns on takedowns.id = quarantined.takedown_id
    where quarantined.bucket = ${bucket} and quarantined.key = ${column}
      and takedowns.is_quarantine)`

const ownerIsActive = (row: string) =>
  `exists (select from users owner where owner.id = ${row}.owner_id and owner.is_active)`

/**
 * SQL: true when guests of the community, who have no account, may see this row of the table. Lists,
 * pages and media addresses use the same conditions.
 */
export const isForGuests: Readonly<
  Record<'community_sessions' | 'community_media', (row: string) => string>
> = {
  community_sessions: (row) =>
    `${row}.status = 'published' and not ${row}.nsfw and not ${publishedIsAdult(row)}
      and ${ownerIsActive(row)} and not ${sessionIsHidden(`${row}.session_id`)}`,
  community_media: (row) =>
    `not ${row}.nsfw and ${ownerIsActive(row)} and not ${fileIsHidden('general', `${row}.file_key`)}`,
}

export async function isHiddenFile(ctx: Context, file: FileAddress): Promise<boolean> {
  return (await findTakedownsOfFile(ctx, file)).length > 0
}

/** True when takedowns allow a holder of the file's address to fetch it now. */
export async function mayFetch(
  ctx: Context,
  file: FileAddress,
  findViewer: () => Promise<Pick<SignedInUser, 'id' | 'role'> | null>,
): Promise<boolean> {
  const takedowns = await findTakedownsOfFile(ctx, file)
  if (takedowns.length === 0) return true
  const viewer = await findViewer()
  return viewer !== null && takedowns.every((takedown) => maySee(takedown, viewer, file))
}

/** True when the file is hidden even from its owner. */
export async function isQuarantined(ctx: Context, file: FileAddress): Promise<boolean> {
  return (await findTakedownsOfFile(ctx, file)).some(({ isQuarantine }) => isQuarantine)
}

/** Refuses to share a file that was taken down or waits for a decision. */
export async function refuseHiddenFile(ctx: Context, file: FileAddress): Promise<void> {
  if (await isHiddenFile(ctx, file)) throw hiddenContent()
}

export async function refuseHiddenSession(ctx: Context, sessionId: number): Promise<void> {
  if (await isHiddenSession(ctx, sessionId)) throw hiddenContent()
}

/**
 * Moderators see the evidence, unless they own it. Owners see hidden files in their vault, unless they
 * are quarantined.
 */
function maySee(
  { ownerId, isQuarantine }: TakedownOfFile,
  viewer: Pick<SignedInUser, 'id' | 'role'>,
  { bucket, key }: FileAddress,
): boolean {
  const isOwner = viewer.id === ownerId
  if (!isOwner) return viewer.role !== 'user'
  return !isQuarantine && bucket === 'user-media' && key.startsWith(`users/${ownerId}/`)
}

function hiddenContent() {
  return problem.contentBlocked({
    message: 'This was reported or taken down, and cannot be shared',
  })
}
