/** Remotes: phones that control a room. Each has a token, which is shown only once and stored as a hash. */
import { randomBytes } from 'node:crypto'
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { sha256 } from '../../platform/signature.ts'
import { deleteRemote, findRemotes, insertRemote } from './remote-queries.ts'
import { requireRoom } from './room-access.ts'

const remotesOfRoom = 20

export async function addRemote(ctx: Context, { params }: Call<typeof api.rooms.addRemote>) {
  const room = await requireRoom(ctx, params.code)
  const token = randomBytes(24).toString('base64url')
  const id = await insertRemote(ctx, { roomId: room.id, tokenHash: sha256(token) }, remotesOfRoom)
  // In the URL fragment, which is never sent to a server or written to a log.
  return { id, token, remoteUrl: `${ctx.config.baseUrl}/remote/${room.code}#${token}` }
}

export async function listRemotes(ctx: Context, { params }: Call<typeof api.rooms.listRemotes>) {
  const room = await requireRoom(ctx, params.code)
  return findRemotes(ctx, room.id)
}

export async function removeRemote(ctx: Context, { params }: Call<typeof api.rooms.removeRemote>) {
  const room = await requireRoom(ctx, params.code)
  if (!(await deleteRemote(ctx, room.id, params.id))) throw problem.notFound()
  return { message: 'Remote removed' }
}
