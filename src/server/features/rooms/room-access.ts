/**
 * Access to a room and control of it. Every path with a code is checked here before the rest of the
 * request, so that only the response tells whether a code belongs to an open room.
 */
import { roomCode } from '../../../contract/rooms.ts'
import type { Context } from '../../context.ts'
import { requireScope } from '../../http/access.ts'
import type { SignedInUser, Visitor } from '../../http/caller.ts'
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

/** Returns the room to a holder of its code. An adult room requires a verified age. */
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
  if (!(await isRemote(ctx, room, visitor))) await requireHost(room, requireUser)
}

/** Returns the host if the request is signed in as the host, even if it also has a remote's token. */
export async function findHost(
  { hostId }: Room,
  { findUser }: { readonly findUser: FindUser },
): Promise<SignedInUser | null> {
  const user = await findUser()
  return user?.id === hostId ? user : null
}

/** True when the request is from the host or a remote. */
export async function isLeading(
  ctx: Context,
  room: Room,
  call: { readonly visitor: Visitor; readonly findUser: FindUser },
): Promise<boolean> {
  return (await findHost(room, call)) !== null || isRemote(ctx, room, call.visitor)
}

/** Refuses a key that may not read the session itself: a room shows the session to everyone in it. */
export function refuseUnreadable(
  user: SignedInUser,
  { userId, isPublic }: { readonly userId: string; readonly isPublic: boolean },
): void {
  if (userId === user.id && !isPublic) requireScope(user, 'sessions:read')
}

async function isRemote(ctx: Context, { id }: Room, visitor: Visitor): Promise<boolean> {
  const token = visitor.header('x-room-remote')
  return token !== null && useRemote(ctx, id, sha256(token))
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
