/** The types of rooms from the API, and the address of their events. */
import { api } from '../../../contract/api.ts'
import type { client } from '../../api.ts'

export type Room = Awaited<ReturnType<typeof client.rooms.read>>['room']
export type RoomSlide = Awaited<ReturnType<typeof client.rooms.read>>['media'][number]
export type RoomState = Room['state']
export type RoomCommand = Parameters<typeof client.rooms.command>[0]['body']

/** Returns the address of a room's event stream. */
export function roomEventsAddress(code: string): string {
  return api.rooms.events.path.replace(':code', encodeURIComponent(code))
}
