/** One screen that listens to a room: what it was told last, and what it is still to be told. */
import type { Readable } from 'node:stream'
import type { RoomState } from '../../../contract/rooms.ts'
import { createEventContent } from '../../http/event-content.ts'

export type RoomListener = {
  readonly room: { readonly id: number; readonly hostId: string; readonly sessionId: number }
  /** By which adult pictures are judged; null for who is not signed in. */
  readonly signInHash: Uint8Array | null
  readonly address: string
  /** The last state that the screen knows; null where it knows none. */
  readonly seen: number | null
}

export type RoomStream = {
  readonly listener: RoomListener
  readonly content: Readable
  /** Says what the screen does not know yet, as far as there is room for it. */
  tell(news: { readonly state: RoomState; readonly screens: number }): void
  /** The slides are others now. */
  oweMedia(): void
  react(emoji: string): void
  keepAlive(): void
  end(): void
}

export function openRoomStream(
  listener: RoomListener,
  { onDrained }: { onDrained: () => void },
): RoomStream {
  const waiting = createEventContent('', { onDrained })
  let { seen } = listener
  let toldScreens = -1
  let owesMedia = false
  return {
    listener,
    content: waiting.content,
    tell({ state, screens }) {
      const isEnd = state.status === 'ended'
      // What does not fit is told once the client has read on; who is at the end is let go.
      if (!waiting.hasRoom) return isEnd ? waiting.end() : undefined
      if (owesMedia) waiting.write(frameOf('media', {}))
      owesMedia = false
      // After a restore a screen may know a later state than there is.
      if (state.sequence !== seen)
        waiting.write(`id: ${state.sequence}\n${frameOf('state', state)}`)
      seen = state.sequence
      if (isEnd) return waiting.finish()
      if (screens !== toldScreens) waiting.write(frameOf('screens', { screens }))
      toldScreens = screens
    },
    oweMedia() {
      owesMedia = true
    },
    react(emoji) {
      if (waiting.hasRoom) waiting.write(frameOf('reaction', { emoji }))
    },
    keepAlive: waiting.keepAlive,
    end: waiting.end,
  }
}

function frameOf(type: string, data: unknown): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}
