/**
 * Films in pieces (HLS). Some browsers play them themselves; for the others, and where those fail, a
 * script fetches the pieces, from the hosts alone that the content policy names (decision 50).
 */

const playlistType = 'application/vnd.apple.mpegurl'
/** No playlist of a film that suits a slide, and no piece of one, is larger. */
const mostBytes = 32 * 1024 * 1024
/** Three slides are in hand at a time: each holds little more than its beginning. */
const aheadS = 10
const heldBytes = 16 * 1024 * 1024
/** A slide that cannot be had is passed over before long. */
const patience = {
  default: {
    maxTimeToFirstByteMs: 10_000,
    maxLoadTimeMs: 20_000,
    timeoutRetry: { maxNumRetry: 1, retryDelayMs: 0, maxRetryDelayMs: 0 },
    errorRetry: { maxNumRetry: 2, retryDelayMs: 500, maxRetryDelayMs: 2000 },
  },
}

/** Rejects where it cannot be played; later an 'error' of the film tells what goes wrong. */
export async function playPieces(
  film: HTMLVideoElement,
  address: string,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted()
  // The host of a playlist may lead to another for its pieces, which browsers follow for whoever asks so.
  film.crossOrigin = 'anonymous'
  if (film.canPlayType(playlistType) === '' || !(await playsItself(film, address, signal)))
    await playByScript(film, address, signal)
  // A slide is to end, and so is its film.
  else if (!Number.isFinite(film.duration)) throw new Error('the film has no end')
}

/** Whether the browser makes something of it; what it says of a failure is heard by nobody else. */
async function playsItself(
  film: HTMLVideoElement,
  address: string,
  signal: AbortSignal,
): Promise<boolean> {
  const heard = new AbortController()
  const options = { once: true, capture: true, signal: heard.signal }
  try {
    return await new Promise<boolean>((resolve, reject) => {
      film.addEventListener('loadedmetadata', () => resolve(true), options)
      film.addEventListener(
        'error',
        (event) => {
          event.stopImmediatePropagation()
          resolve(false)
        },
        options,
      )
      signal.addEventListener('abort', () => reject(new Error('not wanted any more')), options)
      film.src = address
      film.load()
    })
  } finally {
    heard.abort()
  }
}

async function playByScript(
  film: HTMLVideoElement,
  address: string,
  signal: AbortSignal,
): Promise<void> {
  const { default: Hls } = await import('hls.js/light')
  signal.throwIfAborted()
  if (!Hls.isSupported()) throw new Error('this browser plays no film in pieces')
  const hls = new Hls({
    // It would be made of a text, which the content policy forbids.
    enableWorker: false,
    maxBufferLength: aheadS,
    maxMaxBufferLength: 2 * aheadS,
    maxBufferSize: heldBytes,
    backBufferLength: aheadS,
    manifestLoadPolicy: patience,
    playlistLoadPolicy: patience,
    fragLoadPolicy: patience,
    keyLoadPolicy: patience,
    xhrSetup: boundAnswer,
  })
  const fail = () => {
    hls.destroy()
    film.dispatchEvent(new Event('error'))
  }
  hls.on(Hls.Events.ERROR, (_, { fatal }) => {
    if (fatal) fail()
  })
  hls.on(Hls.Events.LEVEL_LOADED, (_, { details: { live: isEndless } }) => {
    if (isEndless) fail()
  })
  signal.addEventListener('abort', () => hls.destroy(), { once: true })
  hls.loadSource(address)
  hls.attachMedia(film)
}

function boundAnswer(request: XMLHttpRequest): void {
  request.addEventListener('progress', ({ loaded }) => {
    if (loaded > mostBytes) request.abort()
  })
}
