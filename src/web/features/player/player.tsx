/**
 * The player: the stage with its pictures, the captions, and the controls, which hide when they are not
 * used. The playback runs the show; these components render it and pass user actions to it.
 */
import {
  Suspense,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { isEmbedded } from '../../embedding.ts'
import { dropFirstFrame, FirstFrame } from '../../first-frame.tsx'
import { lazyPart } from '../../parts.ts'
import { Caption } from './caption.tsx'
import { Deck } from './deck.tsx'
import * as shows from './engine/show.ts'
import type { GestureHandlers } from './gestures.ts'
import {
  CreditNote,
  OfflineNote,
  ResumedNote,
  SkippedNote,
  Spoken,
  type PlayerMessage,
  MessageNote,
} from './notes.tsx'
import { useExit } from './outside/exit.ts'
import { isStopped, type PlaybackState } from './playback-state.ts'
import { createPlayback, type Playback } from './playback.ts'
import type { Playlist } from './playlist.ts'
import { TopBar } from './top-bar.tsx'
import { useControls } from './use-controls.ts'
import { useKeys } from './use-keys.ts'
import { toggleFullScreen, useBlackout } from './use-screen.ts'
import { useSheet } from './use-sheet.ts'
import { useThemeColour } from './use-theme-colour.ts'
import { words } from './words.ts'

// Requested together with the playlist, so that it is loaded before the first picture.
const gesturesComing = import('./gestures.ts')
const loadEnd = () => import('./deferred/end-card.tsx')
const EndCard = lazyPart(async () => (await loadEnd()).EndCard)
const loadSheets = () => import('./deferred/open-sheet.tsx')
const OpenSheet = lazyPart(async () => (await loadSheets()).OpenSheet)

export function Player({
  playlist,
  startSlide,
}: {
  playlist: Playlist
  startSlide: number | null
}) {
  const stage = useRef<HTMLElement>(null)
  const playback = useMemo(() => createPlayback(playlist, startSlide), [playlist, startSlide])
  return (
    <main className="player" data-theme="dark">
      <FirstFrame name="show" />
      {/* Every touch gesture here also has a control or a key. */}
      <section ref={stage} aria-label={words.show} className="player-stage" data-testid="stage" />
      <Room playback={playback} stage={stage} />
    </main>
  )
}

function Room({
  playback,
  stage,
}: {
  playback: Playback
  stage: { readonly current: HTMLElement | null }
}) {
  const state = useSyncExternalStore(playback.subscribe, playback.read)
  const { commands, playlist } = playback
  const { sheet, setSheet } = useSheet()
  const [isScrubbing, setIsScrubbing] = useState(false)
  const [message, setMessage] = useState<PlayerMessage | null>(null)
  const controls = useControls(mustStay(state, sheet !== null))
  const leave = useExit(playlist.exit)
  const { blackOut, lightUp } = useBlackout(playback, state.isBlackedOut, () => setSheet(null))
  useThemeColour(state.isBlackedOut)
  useFreezes(playback, sheet !== null, isScrubbing)
  const showMessage = (text: string) => setMessage({ text })
  // In an embed, a key or a swipe does not open pages.
  const leaveUnframed = isEmbedded() ? () => {} : leave
  const leaveBySwipe = useEffectEvent(leaveUnframed)
  useKeys({ playback, controls, leave: leaveUnframed, blackOut, lightUp, setSheet, showMessage })

  useEffect(() => {
    if (!stage.current) return
    const setFrozen = (why: shows.Freeze, isFrozen: boolean) =>
      commands.change((show) => shows.setFrozen(show, why, isFrozen))
    return attachWhenLoaded(stage.current, playback, {
      previous: commands.previous,
      next: commands.next,
      playOrPause: () => (playback.read().show.isByHand ? commands.next() : commands.playOrPause()),
      toggleControls: controls.toggle,
      fullScreen: toggleFullScreen,
      hold: (isHeld) => setFrozen('finger', isHeld),
      lookCloser: (isClose) => {
        setFrozen('closer', isClose)
        if (isClose) commands.lookCloser()
      },
      blackOut,
      leave: () => leaveBySwipe(),
    })
  }, [stage, playback, commands, controls.toggle, blackOut])

  // Runs after the key and gesture effects above, so that input works once the first picture is visible.
  useEffect(() => {
    if (!stage.current) return
    return playback.open(stage.current)
  }, [stage, playback])

  useLaterParts(state.show.position !== null)
  useEndOfFirstFrame(state.show)
  // The error boundary offers to load the page again, as for any part that failed to load.
  if (state.failure !== null) throw state.failure

  const isOver = state.show.isOver || isStopped(state)
  const hasControls = controls.isShown && !state.isBlackedOut
  const props = { playback, state, setSheet }
  return (
    <div className="player-room" data-controls={hasControls ? 'shown' : 'hidden'}>
      {/* For screen readers on touch screens. With a keyboard, focusing a control shows the controls. */}
      <button type="button" className="sr-only" tabIndex={-1} onClick={controls.wake}>
        {words.showControls}
      </button>
      {!isOver && <Caption state={state} />}
      <TopBar {...props} isOver={isOver} blackOut={blackOut} leave={leave} />
      <Deck {...props} isOver={isOver} onScrub={setIsScrubbing} />
      {isOver && (
        <Suspense fallback={null}>
          <EndCard playback={playback} state={state} leave={leave} />
        </Suspense>
      )}
      <CreditNote state={state} />
      <SkippedNote state={state} />
      <OfflineNote state={state} />
      <MessageNote message={message} />
      <ResumedNote state={state} startOver={commands.startOver} />
      <Spoken state={state} />
      {sheet !== null && (
        <Suspense fallback={null}>
          <OpenSheet name={sheet} {...props} close={() => setSheet(null)} />
        </Suspense>
      )}
      {state.isBlackedOut && <div className="player-black" />}
    </div>
  )
}

/** Attaches the gestures once they are loaded. If loading fails, the controls and keys still work. */
function attachWhenLoaded(
  surface: HTMLElement,
  playback: Playback,
  handlers: GestureHandlers,
): () => void {
  const leaving = new AbortController()
  async function attach() {
    const loaded = await gesturesComing.catch(() => null)
    if (!loaded || leaving.signal.aborted) return
    const gestures = loaded.attachGestures(surface, handlers)
    let { turn } = playback.read().show
    const unsubscribe = playback.subscribe(() => {
      if (playback.read().show.turn !== turn) gestures.reset()
      turn = playback.read().show.turn
    })
    leaving.signal.addEventListener('abort', () => {
      unsubscribe()
      gestures.close()
    })
  }
  void attach()
  return () => leaving.abort()
}

/** Preloads the sheets and the end card after the first picture: the viewer needs them only later. */
function useLaterParts(isShown: boolean) {
  useEffect(() => {
    if (!isShown) return
    // A part that fails here is loaded again when it is needed. An error is shown then.
    for (const part of [loadSheets(), loadEnd()]) part.catch(() => {})
  }, [isShown])
}

/** Removes the first frame when the stage shows its first picture or the show is over. */
function useEndOfFirstFrame({ position, isOver }: shows.Show) {
  const isEnded = position !== null || isOver
  useEffect(() => {
    if (isEnded) dropFirstFrame()
  }, [isEnded])
}

/** True while the controls must stay visible: the show is paused or over, or a sheet is open. */
function mustStay({ show }: PlaybackState, isSheetOpen: boolean): boolean {
  return !show.isRunning || show.isOver || isSheetOpen
}

/** Freezes the show while a sheet is open, the viewer scrubs, or the page is hidden. */
function useFreezes(playback: Playback, isSheetOpen: boolean, isScrubbing: boolean) {
  const { change } = playback.commands
  useEffect(() => {
    change((show) => shows.setFrozen(show, 'sheet', isSheetOpen))
  }, [change, isSheetOpen])
  useEffect(() => {
    change((show) => shows.setFrozen(show, 'scrubbing', isScrubbing))
  }, [change, isScrubbing])
  useEffect(() => {
    const look = () => change((show) => shows.setFrozen(show, 'hidden', document.hidden))
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [change])
}
