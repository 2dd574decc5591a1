/**
 * Plays films in pieces (HLS). Some browsers support HLS; for the others, and if those fail, a script fetches
 * the pieces, only from hosts that the content policy names (decision 50).
 */

const playlistType = 'application/vnd.apple.mpegurl'
/** The limit for one response. A playlist or a piece that suits a slide is smaller. */
const maxBytes = 32 * 1024 * 1024
/** Buffers little: the player prepares three slides at a time. */
const aheadS = 10
const heldBytes = 16 * 1024 * 1024
/** Short timeouts, so that the player soon skips a slide that cannot be loaded. */
const patience = {
  default: {
    maxTimeToFirstByteMs: 10_000,
    maxLoadTimeMs: 20_000,
    timeoutRetry: { maxNumRetry: 1, retryDelayMs: 0, maxRetryDelayMs: 0 },
    errorRetry: { maxNumRetry: 2, retryDelayMs: 500, maxRetryDelayMs: 2000 },
  },
}

/** Rejects when the film cannot be played. Later failures arrive as 'error' events of the film. */
export async function playPieces(
  film: HTMLVideoElement,
  address: string,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted()
  // A playlist may name pieces on another host. Browsers load those only for a request with CORS.
  film.crossOrigin = 'anonymous'
  if (film.canPlayType(playlistType) === '' || !(await playsItself(film, address, signal)))
    await playByScript(film, address, signal)
  // A slide must end, so an endless film cannot be one.
  else if (!Number.isFinite(film.duration)) throw new Error('the film has no end')
}

/**
 * Returns true when the browser loads the playlist. Hides the 'error' event of a failed attempt from other
 * listeners.
 */
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
    // hls.js builds its worker from a string, which the content policy forbids.
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
    if (loaded > maxBytes) request.abort()
  })
}
