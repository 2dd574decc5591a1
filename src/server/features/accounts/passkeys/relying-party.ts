/** Who asks for a passkey, as WebAuthn calls it: this site, by BASE_URL's name. */
import { isIP } from 'node:net'
import type { Context } from '../../../context.ts'
import { sha256 } from '../../../platform/signature.ts'

export function relyingParty(ctx: Context): { readonly id: string; readonly origin: string } {
  const { hostname, origin } = new URL(ctx.config.baseUrl)
  return { id: hostname, origin }
}

/** The name that an authenticator keeps for the account. */
export function userHandleOf(userId: string): Uint8Array {
  return sha256(`passkeys/${userId}`)
}

/** Browsers have passkeys for names alone, and only where nobody can listen. */
export function offersPasskeys(ctx: Context): boolean {
  const { protocol, hostname } = new URL(ctx.config.baseUrl)
  if (hostname === 'localhost') return true
  return protocol === 'https:' && isIP(hostname.replaceAll(/[[\]]/g, '')) === 0
}
