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

export type FilmRefusal = {
  /** It had to begin without sound. */
  readonly silenced: () => void
  /** It may not even begin without sound, as on a phone that saves its battery. */
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

/** A film that has stood still for so long while it should play will not go on. */
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

/** Some phones leave the volume to their buttons: what is set is then not kept. */
export function canSetVolume(): boolean {
  const film = document.createElement('video')
  film.volume = 0.5
  return film.volume === 0.5
}
