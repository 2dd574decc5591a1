/** Reactions: everyone's drift over the screen, and a bar to send one. */
import { useEffect, useRef, useState } from 'react'
import { client } from '../../api.ts'
import type { RoomConnection } from './room-connection.ts'
import { words } from './words.ts'

const offered = ['👍', '👏', '🎉', '🔥', '😂', '😍', '😮', '😢', '🙏', '👀', '💯', '✨'] as const
/** More at once would hide the picture. */
const maxDrifting = 24
const driftMs = 4000

type Drifting = { readonly number: number; readonly emoji: string; readonly leftPercent: number }

export function DriftingReactions({ connection }: { connection: RoomConnection }) {
  const [drifting, setDrifting] = useState<readonly Drifting[]>([])
  const count = useRef(0)
  useEffect(
    () =>
      connection.onReaction((emoji) => {
        const number = (count.current += 1)
        const fresh = { number, emoji, leftPercent: 8 + ((number * 37) % 84) }
        setDrifting((before) => [...before.slice(1 - maxDrifting), fresh])
        setTimeout(
          () => setDrifting((before) => before.filter((one) => one.number !== number)),
          driftMs,
        )
      }),
    [connection],
  )
  return (
    <div className="room-reactions" aria-hidden="true">
      {drifting.map(({ number, emoji, leftPercent }) => (
        <span key={number} className="room-reaction" style={{ left: `${leftPercent}%` }}>
          {emoji}
        </span>
      ))}
    </div>
  )
}

export function ReactionBar({ code }: { code: string }) {
  // The server accepts one per second. A rejected reaction is not worth an error message.
  const react = (emoji: (typeof offered)[number]) =>
    void client.rooms.react({ params: { code }, body: { emoji } }).catch(() => {})
  return (
    <fieldset className="room-bar" aria-label={words.reactions}>
      {offered.map((emoji) => (
        <button
          key={emoji}
          type="button"
          className="room-emoji"
          aria-label={words.react({ emoji })}
          onClick={() => react(emoji)}
        >
          {emoji}
        </button>
      ))}
    </fieldset>
  )
}
