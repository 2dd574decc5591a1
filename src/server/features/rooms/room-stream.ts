/** One screen that listens to a room: the news it has received, and the news it still needs. */
import type { Readable } from 'node:stream'
import type { RoomState } from '../../../contract/rooms.ts'
import { createEventContent } from '../../http/event-content.ts'

export type RoomListener = {
  readonly room: { readonly id: number; readonly hostId: string; readonly sessionId: number }
  /** Decides whether adult pictures may be shown. Null without a sign-in. */
  readonly signInHash: Uint8Array | null
  readonly address: string
  /** The number of the last state that the screen has received, or null. */
  readonly seen: number | null
}

export type RoomStream = {
  readonly listener: RoomListener
  readonly content: Readable
  /** Sends the news that the screen does not have yet, if its buffer has space. */
  send(news: { readonly state: RoomState; readonly screens: number }): void
  /** Marks the slides as changed. */
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
  let sentScreens = -1
  let owesMedia = false
  return {
    listener,
    content: waiting.content,
    send({ state, screens }) {
      const isEnd = state.status === 'ended'
      // Without space, the screen gets the news once it has read on. If the room has ended, its stream
      // ends.
      if (!waiting.hasRoom) return isEnd ? waiting.end() : undefined
      if (owesMedia) waiting.write(frameOf('media', {}))
      owesMedia = false
      // After a restore a screen may have seen a higher number than exists.
      if (state.sequence !== seen)
        waiting.write(`id: ${state.sequence}\n${frameOf('state', state)}`)
      seen = state.sequence
      if (isEnd) return waiting.finish()
      if (screens !== sentScreens) waiting.write(frameOf('screens', { screens }))
      sentScreens = screens
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
