/** The steps of a browser that signs in with the provider. */
import type { OidcServer } from './oidc-server.ts'
import type { Person } from './world.ts'

/** Returns the address at the provider to which the site redirects. */
export async function leaveForProvider(person: Person, redirect?: string): Promise<string> {
  const query = redirect === undefined ? '' : `?redirect=${encodeURIComponent(redirect)}`
  return locationOf(await person.fetch(`/api/login${query}`))
}

/** Signs in at the provider, without the last step. Returns the callback URL. */
export async function authorizeAs(
  provider: OidcServer,
  person: Person,
  subject: string,
): Promise<URL> {
  return provider.authorize(await leaveForProvider(person), subject)
}

/** Sends the last step to the site, whatever host the URL names. */
export function comeBack(person: Person, callback: URL, headers: Record<string, string> = {}) {
  const path = `${callback.pathname}${callback.search}`
  return person.fetch(path, { headers })
}

/** Signs in completely. Returns the final redirect. */
export async function signInBy(
  provider: OidcServer,
  person: Person,
  subject: string,
  redirect?: string,
): Promise<string> {
  const callback = await provider.authorize(await leaveForProvider(person, redirect), subject)
  return locationOf(await comeBack(person, callback))
}

export function locationOf(response: Response): string {
  const location = response.headers.get('location')
  if (response.status !== 302 || location === null)
    throw new Error(`expected a redirect, got ${response.status}`)
  return location
}
