/** What is known of a show while it plays: one record, which React draws and the subscribers follow. */
import type { LinkEnd } from '../sharing/link-end.ts'
import type { Pace } from './engine/schedule.ts'
import { type Show, shownIndex } from './engine/show.ts'
import type { Preferences } from './outside/preferences.ts'
import type { Playlist, PlaylistSlide } from './playlist.ts'
import type { TransitionName } from './stage/transitions.ts'
import type { Store } from './store.ts'
import type { Charge } from './view-counter.ts'

export type PlaybackState = {
  readonly show: Show
  /** The session's own until the viewer chooses others; for this play alone. */
  readonly pace: Pace
  readonly transition: TransitionName
  readonly preferences: Preferences
  /** The words of the slide that is on, and whether some may still come. */
  readonly words: { readonly text: string | null; readonly isPending: boolean }
  /** How long the last change of slide takes; the caption comes back towards its end. */
  readonly transitionMs: number
  readonly isBlackedOut: boolean
  /** The browser lets no sound begin before someone has touched the page. */
  readonly isSilenced: boolean
  /** What was charged last, and what is left. */
  readonly charge: (Charge & { readonly turn: number }) | null
  readonly isUnpaid: boolean
  /** Why the link that it plays by no longer opens it. */
  readonly linkEnd: LinkEnd | null
  /** The show waits for the network. */
  readonly isOffline: boolean
  /** The number of the slide at which the show went on; null where it began as usual. */
  readonly resumedAt: number | null
  /** Why a part of the player did not come; null while all is well. */
  readonly failure: unknown
}

/** What a subscriber is given: it reads the record, changes its part of it, and changes the show. */
export type Playing = {
  readonly playlist: Playlist
  readonly store: Store<PlaybackState>
  readonly change: (step: (show: Show) => Show) => void
}

/** The slide on the screen. */
export function slideOn(playlist: Playlist, show: Show): PlaylistSlide | undefined {
  const index = shownIndex(show)
  return index === null ? undefined : playlist.slides[index]
}

/** The words to be seen; none where the viewer wants none. */
export function captionOf({ preferences, words }: PlaybackState): string | null {
  return preferences.showsCaptions ? words.text : null
}

/** Whether there is anything to be heard: films, or the voice. */
export function hasSound({ slides }: Playlist, { preferences }: PlaybackState): boolean {
  return preferences.speaksCaptions || slides.some(({ type }) => type === 'video')
}

export function isSilent({ preferences, isSilenced }: PlaybackState): boolean {
  return preferences.isMuted || isSilenced
}
