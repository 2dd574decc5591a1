/** Loads the passkey library on first use: it is a sixth of all code to load, and few people need it. */
export function loadWebauthn() {
  return import('@simplewebauthn/server')
}
