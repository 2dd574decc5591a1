/** What the browser does with passkeys. Its library is loaded when somebody uses one. */
import { securityClient } from './security-client.ts'

/** The browser, or who sits at it, has refused. */
export class PasskeyNotMade extends Error {}

/** The options are what the server's library wrote for the browser's. */
type Options<Call extends (options: never) => unknown> = Parameters<Call>[0] extends {
  optionsJSON: infer Json
}
  ? Json
  : never

export async function makePasskey(name: string): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const options = await securityClient.passkeys.registrationOptions()
  const response = await startRegistration({
    optionsJSON: options as unknown as Options<typeof startRegistration>,
  }).catch((error: unknown) => {
    throw new PasskeyNotMade('the browser made no passkey', { cause: error })
  })
  await securityClient.passkeys.add({ body: { name, response: plainJson(response) } })
}

/**
 * Signs in with the passkey that is chosen: at once in the browser's own dialog, or, with autofill,
 * whenever one is chosen from the suggestions of a field. False where none was used.
 */
export async function signInWithPasskey({
  fromAutofill,
}: {
  fromAutofill: boolean
}): Promise<boolean> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const options = await securityClient.passkeys.signInOptions()
  const response = await startAuthentication({
    optionsJSON: options as unknown as Options<typeof startAuthentication>,
    useBrowserAutofill: fromAutofill,
  }).catch(() => null)
  if (!response) return false
  await securityClient.passkeys.signIn({ body: { response: plainJson(response) } })
  return true
}

export async function stopSuggesting(): Promise<void> {
  const { WebAuthnAbortService } = await import('@simplewebauthn/browser')
  WebAuthnAbortService.cancelCeremony()
}

/** Whether the browser suggests passkeys in a field. */
export async function hasAutofill(): Promise<boolean> {
  const { browserSupportsWebAuthnAutofill } = await import('@simplewebauthn/browser')
  return browserSupportsWebAuthnAutofill()
}

/** As it is sent: what is not there is left out, and extensions are whatever the browser says. */
function plainJson<T extends object>(response: T) {
  return JSON.parse(JSON.stringify(response))
}
