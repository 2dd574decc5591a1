/** What a film plays: a file as it is, or the pieces that a playlist names. */
import { isHls } from '../../contract/hls.ts'

/** What it meets the film tells by its own events, 'error' among them; the signal ends the loading of pieces. */
export function loadFilm(film: HTMLVideoElement, address: string, signal: AbortSignal): void {
  if (loadInPieces(film, address, signal)) return
  film.src = address
  film.load()
}

/** False for what is a file. */
export function loadInPieces(
  film: HTMLVideoElement,
  address: string,
  signal: AbortSignal,
): boolean {
  const isInPieces = isHls(address)
  if (isInPieces) void loadPieces(film, address, signal)
  return isInPieces
}

/** Few films are made of pieces, and what plays them is large: it comes with the first of them. */
async function loadPieces(film: HTMLVideoElement, address: string, signal: AbortSignal) {
  try {
    const { playPieces } = await import('./film-pieces.ts')
    await playPieces(film, address, signal)
  } catch {
    if (!signal.aborted) film.dispatchEvent(new Event('error'))
  }
}
