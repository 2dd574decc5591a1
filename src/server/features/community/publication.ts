/**
 * Publishing a session and withdrawing it. A publication waits for the fill and is then frozen, and a
 * job copies its media. An earlier publication stays until the job is done.
 */
import { problems } from '../../../contract/problems.ts'
import type { Context } from '../../context.ts'
import { Problem, problem } from '../../http/problem.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import type { FileAddress } from '../../platform/storage/storage.ts'
import { abandonFiles } from '../files/files.ts'
import { findSnapshot, emitEvent } from '../sessions/sessions.ts'
import type { SessionView } from '../sessions/sessions.ts'
import { failPublication, publishedFile } from './copying.ts'
import { copyPublication } from './jobs.ts'
import type { Publication } from './publication-queries.ts'
import {
  ensureCommunitySession,
  findWaiting,
  freezePublication,
  replacePublication,
  withdrawCommunitySession,
} from './publication-queries.ts'

export async function publishSession(
  ctx: Context,
  owner: { readonly ageVerified: boolean },
  session: SessionView,
  options: { readonly saidSafe: boolean },
): Promise<void> {
  if ((session.nsfw || !options.saidSafe) && !owner.ageVerified)
    throw problem.ageVerificationRequired({
      message: 'Verify your age to publish adult content, or mark the content as not adult',
    })
  const isFilling = session.fillStatus === 'pending' || session.fillStatus === 'filling'
  if (!isFilling && session.mediaCount === 0)
    throw new Problem(problems.validationFailed, {
      message: 'Validation failed: the session has no slides to publish',
    })
  const communityId = await ensureCommunitySession(ctx, session)
  const id = await replacePublication(ctx, communityId, options.saidSafe)
  if (!isFilling) await freeze(ctx, { id, communityId, sessionId: session.id, ...options })
}

export async function publishFilled(ctx: Context, sessionId: number): Promise<void> {
  const waiting = await findWaiting(ctx, sessionId)
  if (waiting) await freeze(ctx, waiting)
}

export async function withdrawSession(ctx: Context, sessionId: number): Promise<FileAddress[]> {
  const keys = await withdrawCommunitySession(ctx, sessionId)
  return abandonFiles(ctx, keys.map(publishedFile))
}

async function freeze(ctx: Context, publication: Publication): Promise<void> {
  const { id, communityId, sessionId, saidSafe } = publication
  const snapshot = await findSnapshot(ctx, sessionId)
  if (!snapshot) return
  const fail = (reason: string) =>
    failPublication(ctx, { publicationId: id, communityId, sessionId, number: null }, reason)
  if (snapshot.slides.length === 0) return fail('The session has no slides')
  // The fill or the owner may have changed the rating since the request.
  const nsfw = snapshot.session.nsfw || !saidSafe
  if (nsfw && !snapshot.ownerIsAgeVerified) return fail('Adult content needs a verified age')
  await freezePublication(ctx, id, { ...snapshot, nsfw })
  await enqueue(ctx, copyPublication, { publicationId: id })
  await emitEvent(ctx, sessionId, 'publishing', { done: 0, total: snapshot.slides.length })
}
