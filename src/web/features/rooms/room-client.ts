/** What only the pages of rooms call. */
import { createClient } from '../../../client/client.ts'
import { roomsApi } from '../../../contract/rooms-api.ts'

export const roomClient = createClient(roomsApi)

export type Room = Awaited<ReturnType<typeof roomClient.rooms.read>>['room']
export type RoomSlide = Awaited<ReturnType<typeof roomClient.rooms.read>>['media'][number]
export type RoomState = Room['state']
export type RoomCommand = Parameters<typeof roomClient.rooms.command>[0]['body']

/** Where a room's events stream from. */
export function roomEventsAddress(code: string): string {
  return roomsApi.rooms.events.path.replace(':code', encodeURIComponent(code))
}
