/** Loads a film: a plain file, or the pieces that an HLS playlist names. */
import { isHls } from '../../contract/hls.ts'

/**
 * Starts to load a film. Failures arrive as 'error' events of the film; the signal stops the loading of
 * pieces.
 */
export function loadFilm(film: HTMLVideoElement, address: string, signal: AbortSignal): void {
  if (loadInPieces(film, address, signal)) return
  film.src = address
  film.load()
}

/** Returns false for a plain file. */
export function loadInPieces(
  film: HTMLVideoElement,
  address: string,
  signal: AbortSignal,
): boolean {
  const isInPieces = isHls(address)
  if (isInPieces) void loadPieces(film, address, signal)
  return isInPieces
}

/** Loads the HLS code on demand: it is large, and few films need it. */
async function loadPieces(film: HTMLVideoElement, address: string, signal: AbortSignal) {
  try {
    const { playPieces } = await import('./film-pieces.ts')
    await playPieces(film, address, signal)
  } catch {
    if (!signal.aborted) film.dispatchEvent(new Event('error'))
  }
}
