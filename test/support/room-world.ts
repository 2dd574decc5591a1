/** A world with rooms: a user with a session of pictures, and screens that listen. */
import type { RoomState } from '../../src/contract/rooms.ts'
import type { Listening } from './event-listener.ts'
import { listenAt } from './event-listener.ts'
import type { Person } from './world.ts'

export const hourMs = 3_600_000

export type Opened = Awaited<ReturnType<Person['rooms']['open']>>
type Command = Parameters<Person['rooms']['command']>[0]['body']

/** Creates ten slides of an hour each, so that the duration of a test changes no slide. */
export async function makeShow(person: Person, change: Record<string, unknown> = {}) {
  const slides = Array.from({ length: 10 }, (_, index) => ({
    mediaUrl: `https://example.org/${index}.jpg`,
    durationMs: hourMs,
  }))
  const body = { title: 'Evening', slides, ...change }
  return (await person.sessions.createManual({ body })).session
}

export async function openRoom(person: Person, sessionId: number, change = {}): Promise<Opened> {
  return person.rooms.open({ body: { sessionId, ...change } })
}

export async function lead(
  person: Person,
  code: string,
  body: Command,
  headers: Record<string, string> = {},
): Promise<RoomState> {
  return (await person.rooms.command({ params: { code }, body, headers })).state
}

export function listenToRoom(
  person: Person,
  code: string,
  headers: Record<string, string> = {},
): Promise<Listening> {
  return listenAt(person, `/api/rooms/${code}/events`, headers)
}

export const statesOf = ({ heard }: Listening) =>
  heard.filter(({ type }) => type === 'state').map(({ data }) => data)

export const typesOf = ({ heard }: Listening) => heard.map(({ type }) => type)
