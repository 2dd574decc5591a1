/** Adds a passkey and turns on a second factor, as pages do. */
import { shownCode } from './authenticator-app.ts'
import { createAuthenticator } from './authenticator.ts'
import type { Person, World } from './world.ts'

/** The site as browsers see it in a world. */
export const site = { rpId: 'lanternist.test', origin: 'http://lanternist.test' }

type Proof = { readonly currentPassword?: string }

export async function addPasskey(
  person: Person,
  { name = 'A phone', proof = {} }: { name?: string; proof?: Proof } = {},
) {
  const device = createAuthenticator(site)
  const options = await person.passkeys.registrationOptions({ body: proof })
  const passkey = await person.passkeys.add({ body: { name, response: device.register(options) } })
  return { device, passkey }
}

export async function turnOnSecondFactor(
  person: Person,
  { clock }: Pick<World, 'clock'>,
  proof: Proof = {},
) {
  const { secret, uri } = await person.secondFactor.begin({ body: proof })
  const code = shownCode(secret, clock.now())
  const { recoveryCodes } = await person.secondFactor.confirm({ body: { code } })
  return { secret, uri, code, recoveryCodes }
}
