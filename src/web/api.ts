/** The service for the pages: the typed client, the signed-in user, and the explanation of failures. */
import { ApiProblem, createClient } from '../client/client.ts'
import { api } from '../contract/api.ts'
import { isEmbedded } from './embedding.ts'
import { hasNetwork } from './network.ts'
import { words } from './requests/words.ts'
import { translation } from './words/translation.ts'

// The build reduces the contract of the pages to method and path of each endpoint (see vite.config.ts).
export const client = createClient(api, {
  // In a frame on another site requests are anonymous, even if the browser would send cookies.
  fetch: (address, options) =>
    fetch(address, isEmbedded() ? { ...options, credentials: 'omit' } : options),
})

export type SignedInUser = Awaited<ReturnType<typeof client.accounts.currentUser>>

/** Returns the signed-in user, or null for a visitor. */
export async function fetchCurrentUser(): Promise<SignedInUser | null> {
  if (cameAsVisitor()) return null
  try {
    return await client.accounts.currentUser()
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) return null
    throw error
  }
}

/** Returns true when the server saw no sign-in as it sent the page. */
export function isMarkedVisitor(): boolean {
  return document.documentElement.dataset['visitor'] !== undefined
}

/** Reads the mark once: a sign-in may happen while the page is open. */
function cameAsVisitor(): boolean {
  const isVisitor = isMarkedVisitor()
  delete document.documentElement.dataset['visitor']
  return isVisitor
}

/** Returns a sentence that explains a failed request to the user. */
export function explain(error: unknown): string {
  if (!(error instanceof ApiProblem)) return hasNetwork() ? words.unreachable : words.noNetwork
  if (error.status === 429 && error.headers.has('retry-after'))
    return words.tooManyTries({ wait: waitInWords(error) })
  const { required, current } = figuresOf(error.body)
  if (error.status === 402 && required !== null && current !== null)
    return words.tooFewCredits({ count: required, current })
  if (isSignedOut(error)) return words.signInToGoOn({ signedOut: words.signedOut })
  const failure = sentence(translated(error.message))
  return error.status >= 500 ? words.tryAgainSoon({ failure }) : failure
}

/** Explains a failure to load content, for users who did not start an action. */
export function explainReading(error: unknown): string {
  return statusOf(error) === 429
    ? words.askedTooOften({ wait: waitInWords(error) })
    : explain(error)
}

export function isSignedOut(error: unknown): boolean {
  return (
    error instanceof ApiProblem &&
    error.status === 401 &&
    /^(Unauthorized|Authentication required)$/.test(error.message)
  )
}

/** Returns the server's `retry-after` in seconds, or null. */
export function waitSecondsOf(error: unknown): number | null {
  if (!(error instanceof ApiProblem) || error.status !== 429) return null
  const seconds = Number(error.headers.get('retry-after'))
  return seconds > 0 ? seconds : null
}

/** Returns the error code of a failure, or null. */
export function codeOf(error: unknown): string | null {
  if (!(error instanceof ApiProblem) || typeof error.body !== 'object' || error.body === null)
    return null
  return 'code' in error.body && typeof error.body.code === 'string' ? error.body.code : null
}

export function statusOf(error: unknown): number | null {
  return error instanceof ApiProblem ? error.status : null
}

/** Returns the address of a session's event stream: fill progress, captions, publishing. */
export function sessionEventsAddress(sessionId: number): string {
  return api.sessions.events.path.replace(':id', String(sessionId))
}

/** Returns the address of a session as a zip. */
export function sessionExportAddress(sessionId: number): string {
  return api.archives.exportSession.path.replace(':id', String(sessionId))
}

/** Returns the address of a shared session as a zip. */
export function sharedExportAddress(code: string): string {
  return api.archives.exportShared.path.replace(':code', code)
}

/** The address of the whole library as a zip. */
export const libraryExportAddress = api.archives.exportLibrary.path

function waitInWords(error: unknown): string {
  const seconds = waitSecondsOf(error)
  if (seconds === null) return words.wait.moment
  return seconds < 60
    ? words.wait.seconds({ count: seconds })
    : words.wait.minutes({ count: Math.ceil(seconds / 60) })
}

/**
 * Translates a message of the server. The server sends English; its sentences are known except for a detail
 * at the end.
 */
export function translated(message: string): string {
  const { problems } = translation
  const known = Object.keys(problems).find((sentence) =>
    [': ', '; '].some((mark) => message.startsWith(sentence + mark)),
  )
  return problems[message] ?? problems[known ?? ''] ?? message
}

function sentence(message: string): string {
  return /[.?!]$/.test(message) ? message : `${message}.`
}

function figuresOf(body: unknown): { required: number | null; current: number | null } {
  if (typeof body !== 'object' || body === null) return { required: null, current: null }
  return {
    required: 'required' in body && typeof body.required === 'number' ? body.required : null,
    current: 'current' in body && typeof body.current === 'number' ? body.current : null,
  }
}
