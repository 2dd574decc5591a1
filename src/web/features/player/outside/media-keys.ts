/** The media keys of keyboards, headsets and lock screens: play, pause and skip. */

type Session = Pick<MediaSession, 'setActionHandler' | 'metadata' | 'playbackState'>

export type MediaCommands = {
  readonly play: () => void
  readonly pause: () => void
  readonly previous: () => void
  readonly next: () => void
}

export type MediaKeys = {
  update(state: { readonly title: string | null; readonly isPlaying: boolean }): void
  close(): void
}

export function createMediaKeys(
  commands: MediaCommands,
  session: Session | undefined = globalThis.navigator?.mediaSession,
  describe: (title: string) => MediaMetadata = (title) => new MediaMetadata({ title }),
): MediaKeys {
  const actions = [
    ['play', commands.play],
    ['pause', commands.pause],
    ['previoustrack', commands.previous],
    ['nexttrack', commands.next],
  ] as const
  for (const [action, run] of actions) session?.setActionHandler(action, run)
  return {
    update({ title, isPlaying }) {
      if (!session) return
      session.metadata = title === null ? null : describe(title)
      session.playbackState = title === null ? 'none' : isPlaying ? 'playing' : 'paused'
    },
    close() {
      if (!session) return
      for (const [action] of actions) session.setActionHandler(action, null)
      session.metadata = null
      session.playbackState = 'none'
    },
  }
}
