/** What stands in the dark where a room cannot be shown. */
import type { ReactNode } from 'react'
import { useSignInAddress } from '../../sign-in-address.ts'
import { ButtonLink } from '../../ui/button.tsx'
import './rooms.css'
import type { RoomView } from './room-connection.ts'
import { words } from './words.ts'

export function Dark({ children }: { children: ReactNode }) {
  return (
    <main className="room-dark" data-theme="dark">
      <div className="room-card">{children}</div>
    </main>
  )
}

type Over = NonNullable<RoomView['over']>

export function RoomOver({ over }: { over: Over }) {
  return (
    <Dark>
      <OverNote over={over} />
    </Dark>
  )
}

/** The same on a page that has a frame. */
export function OverNote({ over }: { over: Over }) {
  const signIn = useSignInAddress()
  const notes = {
    ended: [words.ended, words.endedHint],
    unknown: [words.unknown, words.unknownHint],
    adults: [words.adults, words.adultsHint],
  }
  const [note, hint] = notes[over]
  return (
    <>
      <h1 className="room-card-title">{note}</h1>
      <p>{hint}</p>
      {over === 'adults' ? (
        <ButtonLink href={signIn} size="big">
          {words.signIn}
        </ButtonLink>
      ) : (
        <ButtonLink href="/tv" size="big">
          {words.another}
        </ButtonLink>
      )}
    </>
  )
}
