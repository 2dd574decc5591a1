/** What passkeys are made and checked with: a sixth of all that there is to load, and used by few. */
export function loadWebauthn() {
  return import('@simplewebauthn/server')
}
