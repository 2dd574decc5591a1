/** The state of a show while it plays: one record, which React renders and the subscribers follow. */
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
  /** The pace of the session until the viewer chooses another. The choice holds for this play only. */
  readonly pace: Pace
  readonly transition: TransitionName
  readonly preferences: Preferences
  /** The caption of the slide on the screen, and true while it is being generated. */
  readonly words: { readonly text: string | null; readonly isPending: boolean }
  /** The duration of the last transition. The caption returns near its end. */
  readonly transitionMs: number
  readonly isBlackedOut: boolean
  /** True when the browser blocks sound until the viewer touches the page. */
  readonly isSilenced: boolean
  /** The last charge, and the balance after it. */
  readonly charge: (Charge & { readonly turn: number }) | null
  readonly isUnpaid: boolean
  /** The reason why the share link no longer opens the session. */
  readonly linkEnd: LinkEnd | null
  /** True while the show waits for the network. */
  readonly isOffline: boolean
  /** The number of the slide at which the show resumed; null if it began at the start. */
  readonly resumedAt: number | null
  /** The error of a part of the player that failed to load, or null. */
  readonly failure: unknown
}

/** The argument of a subscriber. A subscriber reads the record, updates its part, and changes the show. */
export type Playing = {
  readonly playlist: Playlist
  readonly store: Store<PlaybackState>
  readonly change: (step: (show: Show) => Show) => void
}

/** True when the viewer may not see more slides: a view was not paid, or the share link has ended. */
export function isStopped({
  isUnpaid,
  linkEnd,
}: Pick<PlaybackState, 'isUnpaid' | 'linkEnd'>): boolean {
  return isUnpaid || linkEnd !== null
}

/** Returns the slide on the screen. */
export function slideOn(playlist: Playlist, show: Show): PlaylistSlide | undefined {
  const index = shownIndex(show)
  return index === null ? undefined : playlist.slides[index]
}

/** Returns the caption to show, or null if the viewer has turned captions off. */
export function captionOf({ preferences, words }: PlaybackState): string | null {
  return preferences.showsCaptions ? words.text : null
}

/** True when the playlist has videos or the captions are spoken. */
export function hasSound({ slides }: Playlist, { preferences }: PlaybackState): boolean {
  return preferences.speaksCaptions || slides.some(({ type }) => type === 'video')
}

export function isSilent({ preferences, isSilenced }: PlaybackState): boolean {
  return preferences.isMuted || isSilenced
}
