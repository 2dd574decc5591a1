/** The code of a room, readable from a distance: in two groups, but copied as one word. */
import './rooms.css'

export function RoomCode({ code }: { code: string }) {
  const [start, end] = codeGroups(code)
  return (
    <p className="room-code" data-testid="room-code">
      <span>{start}</span>
      <span>{end}</span>
    </p>
  )
}

export function codeGroups(code: string): readonly [string, string] {
  return [code.slice(0, 3), code.slice(3)]
}
