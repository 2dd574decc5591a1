/** Passkeys in the browser. The WebAuthn library loads on demand. */
import { client } from '../../api.ts'
import { loadPart } from '../../parts.ts'
import type { Proof } from './reauthentication.tsx'

/** The browser or the user refused. */
export class PasskeyNotMade extends Error {}

/** The options that the server's library creates for the browser's library. */
type Options<Call extends (options: never) => unknown> = Parameters<Call>[0] extends {
  optionsJSON: infer Json
}
  ? Json
  : never

export async function makePasskey(name: string, proof: Proof): Promise<void> {
  const { startRegistration } = await loadLibrary()
  const options = await client.passkeys.registrationOptions({ body: proof })
  const response = await startRegistration({
    optionsJSON: options as unknown as Options<typeof startRegistration>,
  }).catch((error: unknown) => {
    throw new PasskeyNotMade('the browser made no passkey', { cause: error })
  })
  await client.passkeys.add({ body: { name, response: plainJson(response) } })
}

/** The browser's response, in the form of the request. */
type ChosenPasskey = Parameters<typeof client.passkeys.signIn>[0]['body']['response']

type Asking = {
  /**
   * True: offers passkeys in the suggestions of a field and waits for a choice. False: opens the browser's
   * dialog at once.
   */
  readonly fromAutofill: boolean
  /** True when the user has signed in another way meanwhile: then the browser is not asked. */
  readonly isOver: () => boolean
}

/** Returns null when the user chose no passkey. */
export async function askForPasskey({
  fromAutofill,
  isOver,
}: Asking): Promise<ChosenPasskey | null> {
  const { startAuthentication } = await loadLibrary()
  const options = await client.passkeys.signInOptions()
  if (isOver()) return null
  const response = await startAuthentication({
    optionsJSON: options,
    useBrowserAutofill: fromAutofill,
  }).catch(() => null)
  return response && plainJson(response)
}

export async function signInWithPasskey(response: ChosenPasskey): Promise<void> {
  await client.passkeys.signIn({ body: { response } })
}

export async function stopSuggesting(): Promise<void> {
  const { WebAuthnAbortService } = await loadLibrary()
  WebAuthnAbortService.cancelCeremony()
}

/** Returns true when the browser can suggest passkeys in a field. */
export async function hasAutofill(): Promise<boolean> {
  const { browserSupportsWebAuthnAutofill } = await loadLibrary()
  return browserSupportsWebAuthnAutofill()
}

function loadLibrary() {
  return loadPart(() => import('@simplewebauthn/browser'))
}

/** Removes undefined fields; the type of extensions is not checked. */
function plainJson(response: object) {
  return JSON.parse(JSON.stringify(response))
}
