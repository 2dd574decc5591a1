/** Notes on a dark page when a room cannot be shown. */
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useHasNetwork } from '../../network.ts'
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

export function Unreached() {
  return useHasNetwork() ? words.noServer : words.noNetwork
}

type Over = NonNullable<RoomView['over']>

export function RoomOver({ over }: { over: Over }) {
  return (
    <Dark>
      <OverNote over={over} />
      <WayOn over={over} />
    </Dark>
  )
}

/** For televisions: the right arrow key follows the link, as on the page that takes the code. */
export function RoomOverOnTv({ over }: { over: Over }) {
  const wayOn = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const link = wayOn.current?.querySelector('a')
    link?.focus()
    const press = ({ key }: KeyboardEvent) => {
      if (key === 'ArrowRight') link?.click()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
  return (
    <Dark>
      <OverNote over={over} />
      <div ref={wayOn}>
        <WayOn over={over} icon={<ChevronRight size="1.25em" aria-hidden="true" />} />
      </div>
    </Dark>
  )
}

/** The same note for a page with a frame. */
export function OverNote({ over }: { over: Over }) {
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
    </>
  )
}

function WayOn({ over, icon }: { over: Over; icon?: ReactNode }) {
  const signIn = useSignInAddress()
  return over === 'adults' ? (
    <ButtonLink href={signIn} size="big" icon={icon}>
      {words.signIn}
    </ButtonLink>
  ) : (
    <ButtonLink href="/tv" size="big" icon={icon}>
      {words.another}
    </ButtonLink>
  )
}
