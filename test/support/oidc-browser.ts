/** What a browser does when someone signs in by the provider, a step at a time. */
import type { OidcServer } from './oidc-server.ts'
import type { Person } from './world.ts'

/** Where the site sends the browser to sign in. */
export async function leaveForProvider(person: Person, redirect?: string): Promise<string> {
  const query = redirect === undefined ? '' : `?redirect=${encodeURIComponent(redirect)}`
  return locationOf(await person.fetch(`/api/login${query}`))
}

/** To the provider and back again, but for the last step: the URL that the browser is sent to. */
export async function authorizeAs(
  provider: OidcServer,
  person: Person,
  subject: string,
): Promise<URL> {
  return provider.authorize(await leaveForProvider(person), subject)
}

/** The last step, whatever host the URL names. */
export function comeBack(person: Person, callback: URL, headers: Record<string, string> = {}) {
  const path = `${callback.pathname}${callback.search}`
  return person.fetch(path, { headers })
}

/** The whole way: where the browser ends up. */
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
