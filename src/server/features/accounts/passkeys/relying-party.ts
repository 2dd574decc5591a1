/** Returns the WebAuthn relying party: this site, with the host name of BASE_URL. */
import { isIP } from 'node:net'
import type { Context } from '../../../context.ts'
import { sha256 } from '../../../platform/signature.ts'

export function relyingParty(ctx: Context): { readonly id: string; readonly origin: string } {
  const { hostname, origin } = new URL(ctx.config.baseUrl)
  return { id: hostname, origin }
}

/** Returns the account's id for authenticators. */
export function userHandleOf(userId: string): Uint8Array {
  return sha256(`passkeys/${userId}`)
}

/**
 * True when browsers allow passkeys here: they require a host name, not an IP address, and HTTPS or
 * localhost.
 */
export function offersPasskeys(ctx: Context): boolean {
  const { protocol, hostname } = new URL(ctx.config.baseUrl)
  if (hostname === 'localhost') return true
  return protocol === 'https:' && isIP(hostname.replaceAll(/[[\]]/g, '')) === 0
}
