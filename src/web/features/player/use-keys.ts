/** Keyboard control: the keys listed in keys.ts, and any key to end a blackout. */
import { useEffect, useLayoutEffect, useRef } from 'react'
import * as shows from './engine/show.ts'
import { speedBeside } from './engine/speeds.ts'
import { actionOf, isModifier, type PlayerAction } from './keys.ts'
import type { SwitchName } from './outside/preferences.ts'
import { hasSound, isSilent, isStopped } from './playback-state.ts'
import type { Playback } from './playback.ts'
import type { Controls } from './use-controls.ts'
import { toggleFullScreen } from './use-screen.ts'
import type { SheetName } from './use-sheet.ts'
import { words } from './words.ts'

type Desk = {
  readonly playback: Playback
  readonly controls: Controls
  readonly leave: () => void
  readonly blackOut: () => void
  readonly lightUp: () => void
  readonly setSheet: (sheet: SheetName | null) => void
  readonly showMessage: (text: string) => void
}

/** Actions that only the controls show, not the picture. Their keys show the controls. */
const changesControls = new Set<PlayerAction>([
  'first',
  'last',
  'jump',
  'slower',
  'faster',
  'shuffle',
  'loop',
  'mute',
  'speak',
])

const volumeStep = 0.1

export function useKeys(desk: Desk) {
  const latest = useRef(desk)
  // A layout effect runs before paint, so a key always acts on the state that the viewer sees.
  useLayoutEffect(() => {
    latest.current = desk
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => pressKey(latest.current, event)
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

function pressKey(desk: Desk, event: KeyboardEvent): void {
  const { playback, controls } = desk
  if (playback.read().isBlackedOut) {
    event.preventDefault()
    // A startled viewer hits the blackout key again. That must not end the blackout.
    const isWayBack = !isModifier(event) && !event.repeat && actionOf(event) !== 'blackOut'
    return isWayBack ? desk.lightUp() : undefined
  }
  // This key press has closed a sheet.
  if (event.defaultPrevented) return
  if (event.key === 'Tab') return controls.wake()
  const action = actionOf(event)
  if (action === null || (isSheetOpen() && action !== 'blackOut')) return
  if (isForControl(event, action)) return
  if (isStopped(playback.read()) && action !== 'leave' && action !== 'blackOut') return
  event.preventDefault()
  if (changesControls.has(action)) controls.wake()
  perform(desk, action, event.key)
}

function isSheetOpen(): boolean {
  return document.querySelector('[data-dialog]') !== null
}

/** True when the focused control handles the key itself: space on a button, arrows on a slider. */
function isForControl({ target, key }: KeyboardEvent, action: PlayerAction): boolean {
  if (!(target instanceof Element)) return false
  if (action === 'playOrPause') return target.closest('button, a') !== null
  const isSlider = target.closest('input') !== null
  return isSlider && /^(Arrow|Home|End|Page)/.test(key)
}

function perform(desk: Desk, action: PlayerAction, key: string): void {
  const { commands } = desk.playback
  const { change, toggle } = commands
  switch (action) {
    case 'playOrPause':
      return desk.playback.read().show.isByHand ? commands.next() : commands.playOrPause()
    case 'previous':
      return commands.previous()
    case 'next':
      return commands.next()
    case 'first':
      return change((show) => shows.goTo(show, 0))
    case 'last':
      return change((show) => shows.goTo(show, show.order.length - 1))
    case 'jump':
      return change((show) => shows.goTo(show, (show.order.length * Number(key)) / 10))
    case 'slower':
      return change((show) => shows.setSpeed(show, speedBeside(show.speed, -1)))
    case 'faster':
      return change((show) => shows.setSpeed(show, speedBeside(show.speed, 1)))
    case 'fullScreen':
      return toggleFullScreen()
    case 'fill':
      return toggle('isFilling')
    case 'drift':
      return switchAndShow(desk, 'hasDrift', words.messages.drift)
    case 'captions':
      return switchAndShow(desk, 'showsCaptions', words.messages.captions)
    case 'speak':
      return switchAndShow(desk, 'speaksCaptions', words.messages.speech)
    case 'mute':
      commands.toggleSound()
      return desk.showMessage(words.messages.sound[isSilent(desk.playback.read()) ? 'off' : 'on'])
    case 'louder':
      return changeVolume(desk, volumeStep)
    case 'quieter':
      return changeVolume(desk, -volumeStep)
    case 'shuffle':
      return change((show) => shows.setShuffled(show, !show.isShuffled))
    case 'loop':
      return change((show) => shows.setLooping(show, !show.isLooping))
    case 'about':
      return desk.setSheet('about')
    case 'help':
      return desk.setSheet('help')
    case 'leave':
      return desk.leave()
    case 'blackOut':
      return desk.blackOut()
  }
}

function changeVolume({ playback, showMessage }: Desk, step: number): void {
  if (!hasSound(playback.playlist, playback.read())) return
  playback.commands.setVolume(playback.read().preferences.volume + step)
  const { volume } = playback.read().preferences
  showMessage(words.messages.volume({ percent: Math.round(volume * 100) }))
}

function switchAndShow(
  { playback, showMessage }: Desk,
  name: SwitchName,
  messages: { readonly off: string; readonly on: string },
): void {
  playback.commands.toggle(name)
  showMessage(messages[playback.read().preferences[name] ? 'on' : 'off'])
}
