/**
 * The service as the pages see it: the typed client, who is signed in, and what a failure is called
 * in front of a visitor.
 */
import { ApiProblem, createClient } from '../client/client.ts'
import { api } from '../contract/api.ts'

// The build gives a page only the method and path of each endpoint here (see vite.config.ts).
export const client = createClient(api)

export type SignedInUser = Awaited<ReturnType<typeof client.accounts.currentUser>>

/** The signed-in user, or null for a visitor. */
export async function fetchCurrentUser(): Promise<SignedInUser | null> {
  try {
    return await client.accounts.currentUser()
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) return null
    throw error
  }
}

/** A sentence for whoever caused a request that failed. */
export function explain(error: unknown): string {
  if (!(error instanceof ApiProblem)) return 'The server cannot be reached. Try again in a moment.'
  const retryAfterSeconds = Number(error.headers.get('retry-after'))
  if (error.status !== 429 || !(retryAfterSeconds > 0)) return error.message
  const minutes = Math.ceil(retryAfterSeconds / 60)
  return `Too many tries. The next one is possible in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`
}
