/** What the browser does with passkeys. Its library is loaded when somebody uses one. */
import { client } from '../../api.ts'
import { loadPart } from '../../parts.ts'
import type { Proof } from './reauthentication.tsx'

/** The browser, or who sits at it, has refused. */
export class PasskeyNotMade extends Error {}

/** The options are what the server's library wrote for the browser's. */
type Options<Call extends (options: never) => unknown> = Parameters<Call>[0] extends {
  optionsJSON: infer Json
}
  ? Json
  : never

export async function makePasskey(name: string, proof: Proof): Promise<void> {
  const { startRegistration } = await loadPart(() => import('@simplewebauthn/browser'))
  const options = await client.passkeys.registrationOptions({ body: proof })
  const response = await startRegistration({
    optionsJSON: options as unknown as Options<typeof startRegistration>,
  }).catch((error: unknown) => {
    throw new PasskeyNotMade('the browser made no passkey', { cause: error })
  })
  await client.passkeys.add({ body: { name, response: plainJson(response) } })
}

/** What the browser says of a passkey, as it is sent. */
type ChosenPasskey = Parameters<typeof client.passkeys.signIn>[0]['body']['response']

type Asking = {
  /** From the suggestions of a field, whenever one is chosen; else at once, in the browser's own dialog. */
  readonly fromAutofill: boolean
  /** Whether somebody got in meanwhile: then nothing is asked. */
  readonly isOver: () => boolean
}

/** Null where none was chosen. */
export async function askForPasskey({
  fromAutofill,
  isOver,
}: Asking): Promise<ChosenPasskey | null> {
  const { startAuthentication } = await loadPart(() => import('@simplewebauthn/browser'))
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
  const { WebAuthnAbortService } = await loadPart(() => import('@simplewebauthn/browser'))
  WebAuthnAbortService.cancelCeremony()
}

/** Whether the browser suggests passkeys in a field. */
export async function hasAutofill(): Promise<boolean> {
  const { browserSupportsWebAuthnAutofill } = await loadPart(
    () => import('@simplewebauthn/browser'),
  )
  return browserSupportsWebAuthnAutofill()
}

/** As it is sent: what is not there is left out, and extensions are whatever the browser says. */
function plainJson(response: object) {
  return JSON.parse(JSON.stringify(response))
}
