/** Films on the stage: how fast and how loud they are, and that they begin though a browser forbids sound. */

export type FilmLook = {
  readonly isMuted: boolean
  /** From 0 to 1. */
  readonly volume: number
  readonly speed: number
}

export function setFilmLook(film: HTMLVideoElement, { isMuted, volume, speed }: FilmLook): void {
  film.muted = isMuted
  film.volume = volume
  film.defaultPlaybackRate = speed
  film.playbackRate = speed
}

/** Calls back where it had to begin in silence. */
export async function playFilm(film: HTMLVideoElement, silenced: () => void): Promise<void> {
  try {
    await film.play()
  } catch (error) {
    const isForbidden = error instanceof DOMException && error.name === 'NotAllowedError'
    if (!isForbidden || film.muted) return
    film.muted = true
    silenced()
    await film.play().catch(() => {})
  }
}

/** Some phones leave the volume to their buttons: what is set is then not kept. */
export function canSetVolume(): boolean {
  const film = document.createElement('video')
  film.volume = 0.5
  return film.volume === 0.5
}
