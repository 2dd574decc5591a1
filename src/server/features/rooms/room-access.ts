/**
 * Who gets into a room and who leads it. Every path below a code passes here before anything else of
 * the request counts, so that nothing tells a code of an open room from any other but its answer.
 */
import { roomCode } from '../../../contract/rooms.ts'
import type { Context } from '../../context.ts'
import type { SignedInUser } from '../../http/caller.ts'
import { problem } from '../../http/problem.ts'
import type { AdmitByPath } from '../../http/route.ts'
import { sha256 } from '../../platform/signature.ts'
import type { Room } from './queries.ts'
import { findRoom } from './queries.ts'
import { useRemote } from './remote-queries.ts'

type FindUser = () => Promise<SignedInUser | null>

export async function requireRoom(ctx: Context, code: string): Promise<Room> {
  const room = await findRoom(ctx, code)
  if (!room) throw problem.roomNotFound()
  return room
}

/** For whoever holds the code; adult pictures only for those whose age is verified. */
export async function requireSeeing(ctx: Context, code: string, findUser: FindUser): Promise<Room> {
  const room = await requireRoom(ctx, code)
  if (room.session.nsfw && !(await findUser())?.ageVerified) throw adultsOnly()
  return room
}

export function adultsOnly() {
  return problem.ageVerificationRequired({ message: 'This room is for age-verified accounts' })
}

export const admitToRoom: AdmitByPath = async (ctx, { params }) => {
  await roomAt(ctx, params)
}

export const admitHost: AdmitByPath = async (ctx, { params, requireUser }) => {
  await requireHost(await roomAt(ctx, params), requireUser)
}

export const admitLeader: AdmitByPath = async (ctx, { params, visitor, requireUser }) => {
  const room = await roomAt(ctx, params)
  const token = visitor.header('x-room-remote')
  const isRemote = token !== null && (await useRemote(ctx, room.id, sha256(token)))
  if (!isRemote) await requireHost(room, requireUser)
}

async function requireHost(
  { hostId }: Room,
  requireUser: () => Promise<SignedInUser>,
): Promise<void> {
  const user = await requireUser()
  if (user.id !== hostId) throw problem.forbidden()
}

async function roomAt(ctx: Context, params: Readonly<Record<string, string>>): Promise<Room> {
  const code = roomCode.safeParse(params['code'])
  if (!code.success) throw problem.roomNotFound()
  return requireRoom(ctx, code.data)
}
