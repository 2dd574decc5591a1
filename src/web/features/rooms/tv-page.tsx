/**
 * Where a television joins a room. Four arrow keys are enough: up and down turn the letter, right
 * goes on and at last joins, left goes back. Who has letters types them.
 */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { roomCodeLength, roomCodeLetters } from '../../../contract/room-codes.ts'
import { usePageTitle } from '../../page-title.ts'
import { Button } from '../../ui/button.tsx'
import './rooms.css'
import { words } from './words.ts'

const places = Array.from({ length: roomCodeLength }, (_, place) => place)

export function TvPage() {
  usePageTitle(words.tv)
  const [, navigate] = useLocation()
  const [letters, setLetters] = useState<readonly string[]>(places.map(() => ''))
  const [place, setPlace] = useState(0)
  const fields = useRef<(HTMLElement | null)[]>([])
  const isWhole = letters.every((letter) => letter !== '')

  // The first letter has the focus from the start, and each as it is reached.
  useEffect(() => fields.current[place]?.focus(), [place])

  function put(letter: string): void {
    setLetters((before) => before.map((one, at) => (at === place ? letter : one)))
  }

  function goOn(): void {
    if (place < roomCodeLength - 1) setPlace(place + 1)
    else if (isWhole) navigate(`/tv/${letters.join('')}`)
  }

  function turn(step: 1 | -1): void {
    const at = roomCodeLetters.indexOf(letters[place] ?? '')
    const count = roomCodeLetters.length
    const next = letters[place] === '' ? (step === 1 ? 8 : count - 1) : (at + step + count) % count
    put(roomCodeLetters[next] ?? '')
  }

  function press(event: KeyboardEvent): void {
    const letter = event.key.toUpperCase()
    if (event.ctrlKey || event.metaKey || event.altKey || event.key === 'Tab') return
    if (event.key === 'ArrowUp') turn(-1)
    else if (event.key === 'ArrowDown') turn(1)
    else if (event.key === 'ArrowRight' || event.key === 'Enter') goOn()
    else if (event.key === 'ArrowLeft') setPlace(Math.max(0, place - 1))
    else if (event.key === 'Backspace') {
      put('')
      setPlace(Math.max(0, place - 1))
    } else if (roomCodeLetters.includes(letter)) {
      put(letter)
      if (place < roomCodeLength - 1) setPlace(place + 1)
    } else return
    event.preventDefault()
  }

  return (
    <main className="room-dark" data-theme="dark">
      <div className="room-card">
        <h1 className="room-card-title">{words.tv}</h1>
        <div className="room-wheels">
          {places.map((at) => (
            <input
              key={at}
              ref={(element) => {
                fields.current[at] = element
              }}
              // Without a keyboard on the screen: the arrows turn it.
              readOnly
              inputMode="none"
              value={letters[at]}
              placeholder="·"
              tabIndex={at === place ? 0 : -1}
              aria-label={words.letter({ place: at + 1 })}
              className="room-wheel"
              onFocus={() => setPlace(at)}
              onKeyDown={press}
            />
          ))}
        </div>
        <p>{words.tvHint}</p>
        {isWhole && (
          <Button
            look="lit"
            size="big"
            tabIndex={-1}
            onClick={() => navigate(`/tv/${letters.join('')}`)}
          >
            {words.join}
          </Button>
        )}
      </div>
    </main>
  )
}
