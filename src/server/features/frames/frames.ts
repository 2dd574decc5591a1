/**
 * Frames: links to one's own sessions that a screen uses for years. Anyone with the link sees what the
 * frame plays, so its token is shown only once and only its hash is stored.
 */
import { randomBytes } from 'node:crypto'
import type { api } from '../../../contract/api.ts'
import { maxFrameSessions } from '../../../contract/frames.ts'
import { problems } from '../../../contract/problems.ts'
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import { Problem, problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { sha256 } from '../../platform/signature.ts'
import { requireOwn } from '../sessions/sessions.ts'
import type { FrameView } from './queries.ts'
import {
  deleteFrame,
  findFrame,
  lockFrame,
  lockSessions,
  lockTrashedSessions,
  insertFrame,
  listFrameRows,
  putFrameSessions,
  updateFrame,
} from './queries.ts'

/** More than anyone needs. */
const maxFrames = 100

export function listFrames(ctx: Context, { user }: Call<typeof api.frames.list>) {
  return listFrameRows(ctx, user.id)
}

export function createFrame(ctx: Context, { user, body }: Call<typeof api.frames.create>) {
  const { name, settings, nsfw } = body
  const { token, tokenHash } = newToken()
  return atomically(ctx, async (ctx) => {
    const sessionIds = await requireSessions(ctx, user.id, body.sessionIds)
    const row = { userId: user.id, name, settings, nsfw, tokenHash }
    const id = await insertFrame(ctx, row, maxFrames)
    if (id === null)
      throw new Problem(problems.validationFailed, {
        message: `Validation failed: an account has at most ${maxFrames} frames`,
      })
    await putFrameSessions(ctx, id, sessionIds)
    return withLink(ctx, token, await requireFrame(ctx, user.id, id))
  })
}

export function changeFrame(ctx: Context, { user, params, body }: Call<typeof api.frames.update>) {
  const { sessionIds, ...change } = body
  return atomically(ctx, async (ctx) => {
    if (!(await lockFrame(ctx, user.id, params.id))) throw problem.frameNotFound()
    if (sessionIds) await replaceSessions(ctx, user.id, params.id, sessionIds)
    await updateFrame(ctx, params.id, change)
    return requireFrame(ctx, user.id, params.id)
  })
}

export async function removeFrame(ctx: Context, { user, params }: Call<typeof api.frames.remove>) {
  if (!(await deleteFrame(ctx, user.id, params.id))) throw problem.frameNotFound()
  return { message: 'Frame deleted' }
}

export function renewFrame(ctx: Context, { user, params }: Call<typeof api.frames.renew>) {
  const { token, tokenHash } = newToken()
  return atomically(ctx, async (ctx) => {
    if (!(await lockFrame(ctx, user.id, params.id))) throw problem.frameNotFound()
    await updateFrame(ctx, params.id, { tokenHash })
    return withLink(ctx, token, await requireFrame(ctx, user.id, params.id))
  })
}

async function requireFrame(ctx: Context, userId: string, id: number): Promise<FrameView> {
  const frame = await findFrame(ctx, userId, id)
  if (!frame) throw problem.frameNotFound()
  return frame
}

/**
 * Replaces the sessions. Those in the trash are not in the list that clients edit, so they keep their
 * positions and return when they are restored. If there is no room for them, they are removed.
 */
async function replaceSessions(
  ctx: Context,
  userId: string,
  frameId: number,
  ids: readonly number[],
): Promise<void> {
  const sessionIds = await requireSessions(ctx, userId, ids)
  const trashed = await lockTrashedSessions(ctx, frameId)
  for (const { sessionId, position } of trashed.slice(0, maxFrameSessions - sessionIds.length))
    sessionIds.splice(position, 0, sessionId)
  await putFrameSessions(ctx, frameId, sessionIds)
}

/**
 * Returns distinct ids of own sessions and locks these against deletion. A session that is just being
 * deleted is not found.
 */
async function requireSessions(
  ctx: Context,
  userId: string,
  ids: readonly number[],
): Promise<number[]> {
  const wanted = [...new Set(ids)]
  for (const id of wanted) await requireOwn(ctx, userId, id)
  if ((await lockSessions(ctx, wanted)) < wanted.length) throw problem.sessionNotFound()
  return wanted
}

function newToken() {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: sha256(token) }
}

function withLink(ctx: Context, token: string, frame: FrameView) {
  return { frame, frameUrl: `${ctx.config.baseUrl}/frame/${token}` }
}
