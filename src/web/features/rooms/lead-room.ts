/** Sends commands to a room, as its host or with a remote's token. */
import { client, explain, statusOf } from '../../api.ts'
import { showToast } from '../../ui/toasts.tsx'
import type { RoomCommand } from './room-client.ts'
import type { RoomConnection } from './room-connection.ts'

export type Lead = (command: RoomCommand) => void

/**
 * Returns a function that sends a command. The response has the newest state, which is shown before the event
 * stream delivers it.
 */
export function leadBy(
  connection: RoomConnection,
  { token, onRefused }: { token?: string; onRefused: () => void },
): Lead {
  const headers = token === undefined ? {} : { 'x-room-remote': token }
  return (body) => {
    // Haptic feedback, if the device supports it.
    if ('vibrate' in navigator) navigator.vibrate(12)
    client.rooms
      .command({ params: { code: connection.code }, body, headers })
      .then(({ state }) => connection.learn(state))
      .catch((error: unknown) => {
        const status = statusOf(error)
        if (status === 401 || status === 403) onRefused()
        else showToast({ text: explain(error), isFailure: true })
      })
  }
}
