/** Videos on the stage: their speed and volume, and a muted start when the browser blocks sound. */

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

export type FilmRefusal = {
  /** Called when the video must start muted. */
  readonly silenced: () => void
  /** Called when the video may not even start muted, for example on a phone in battery saving mode. */
  readonly refused: () => void
}

export async function playFilm(film: HTMLVideoElement, on: FilmRefusal): Promise<void> {
  try {
    await film.play()
  } catch (error) {
    const isForbidden = error instanceof DOMException && error.name === 'NotAllowedError'
    if (!isForbidden) return
    if (film.muted) return on.refused()
    film.muted = true
    on.silenced()
    await playFilm(film, on)
  }
}

/** A video that makes no progress for this long while it should play has stalled. */
const stallMs = 30_000

/** Calls back when the film stalls. */
export function watchFilm(film: HTMLVideoElement, stalled: () => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = () => {
    clearTimeout(timer)
    if (!film.paused && !film.ended) timer = setTimeout(stalled, stallMs)
  }
  for (const event of ['play', 'timeupdate', 'pause', 'ended', 'emptied'])
    film.addEventListener(event, wait)
}

/** Returns false on phones where only the buttons set the volume: there a video ignores a set volume. */
export function canSetVolume(): boolean {
  const film = document.createElement('video')
  film.volume = 0.5
  return film.volume === 0.5
}
