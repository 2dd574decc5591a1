/**
 * The page where a television joins a room. Four arrow keys are enough: up and down change the character,
 * right moves on and finally joins, left moves back. With a keyboard the code can be typed or pasted.
 */
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { roomCodeLength, roomCodeLetters } from '../../../contract/room-codes.ts'
import { usePageTitle } from '../../page-title.ts'
import { Button } from '../../ui/button.tsx'
import './rooms.css'
import { words } from './words.ts'

/** The index of the first letter, after the digits: most characters of codes are letters. */
const firstTurned = roomCodeLetters.indexOf('A')
const letterIndexes = Array.from({ length: roomCodeLength }, (_, index) => index)

export function TvPage() {
  usePageTitle(words.tv)
  const [, navigate] = useLocation()
  const [letters, setLetters] = useState<readonly string[]>(letterIndexes.map(() => ''))
  const [focused, setFocused] = useState(0)
  const fields = useRef<(HTMLElement | null)[]>([])
  const [isTouched] = useState(() => matchMedia('(pointer: coarse)').matches)
  const isWhole = letters.every((letter) => letter !== '')

  // The first field has the focus at the start, then the current one.
  useEffect(() => fields.current[focused]?.focus(), [focused])

  function put(letter: string): void {
    setLetters((before) => before.map((one, at) => (at === focused ? letter : one)))
  }

  /** Handles input from an on-screen keyboard, which sends no key events. */
  function change(text: string): void {
    if (text === '') erase()
    else type(text)
  }

  function erase(): void {
    put('')
    setFocused(Math.max(0, focused - 1))
  }

  function type(text: string): boolean {
    const letter = text.slice(-1).toUpperCase()
    if (letter === '' || !roomCodeLetters.includes(letter)) return false
    put(letter)
    if (focused < roomCodeLength - 1) setFocused(focused + 1)
    return true
  }

  function paste(event: ClipboardEvent): void {
    event.preventDefault()
    const pasted = event.clipboardData
      .getData('text')
      .toUpperCase()
      .split('')
      .filter((letter) => roomCodeLetters.includes(letter))
    if (pasted.length !== roomCodeLength) return
    setLetters(pasted)
    setFocused(roomCodeLength - 1)
  }

  function goOn(): void {
    if (focused < roomCodeLength - 1) setFocused(focused + 1)
    else if (isWhole) navigate(`/tv/${letters.join('')}`)
  }

  function turn(step: 1 | -1): void {
    const at = roomCodeLetters.indexOf(letters[focused] ?? '')
    const count = roomCodeLetters.length
    const next =
      letters[focused] === '' ? (step === 1 ? firstTurned : count - 1) : (at + step + count) % count
    put(roomCodeLetters[next] ?? '')
  }

  function press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key === 'Tab') return
    if (event.key === 'ArrowUp') turn(-1)
    else if (event.key === 'ArrowDown') turn(1)
    else if (event.key === 'ArrowRight' || event.key === 'Enter') goOn()
    else if (event.key === 'ArrowLeft') setFocused(Math.max(0, focused - 1))
    else if (event.key === 'Backspace') erase()
    else if (event.key.length > 1 || !type(event.key)) return
    event.preventDefault()
  }

  return (
    <main className="room-dark" data-theme="dark">
      <div className="room-card">
        <h1 className="room-card-title">{words.tv}</h1>
        <div className="room-wheels">
          {letterIndexes.map((at) => (
            <input
              key={at}
              ref={(element) => {
                fields.current[at] = element
              }}
              // On a television the arrow keys change it; an on-screen keyboard would cover half of the
              // screen.
              inputMode={isTouched ? 'text' : 'none'}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              value={letters[at]}
              placeholder="·"
              tabIndex={at === focused ? 0 : -1}
              aria-label={words.letter({ position: at + 1 })}
              // A spin button announces each change. On a touch screen it is a text field.
              {...(!isTouched && {
                role: 'spinbutton',
                'aria-valuetext': letters[at] || words.noLetter,
              })}
              className="room-wheel"
              onFocus={({ currentTarget }) => {
                setFocused(at)
                // Typing replaces the character, wherever the cursor is.
                currentTarget.select()
              }}
              onKeyDown={press}
              onChange={({ currentTarget }) => change(currentTarget.value)}
              onPaste={paste}
            />
          ))}
        </div>
        <p>{isTouched ? words.touchHint : words.tvHint}</p>
        {/* Always in the layout, so that nothing moves when it appears. */}
        <Button
          look="lit"
          size="big"
          tabIndex={-1}
          className={isWhole ? '' : 'invisible'}
          onClick={() => navigate(`/tv/${letters.join('')}`)}
        >
          {words.join}
        </Button>
      </div>
    </main>
  )
}
