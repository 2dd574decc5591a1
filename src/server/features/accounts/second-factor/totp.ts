/** Time-based codes (RFC 6238) as authenticator apps compute them: SHA-1, 30 seconds. */
import { createHmac } from 'node:crypto'

const stepMs = 30_000
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function stepAt(time: Date): number {
  return Math.floor(time.getTime() / stepMs)
}

export function codeAt(secret: Uint8Array, step: number, digits = 6): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  // The low four bits of the last byte are the offset of the number, whose first bit is dropped.
  const offset = (digest.at(-1) ?? 0) & 0xf
  const number = digest.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/**
 * Returns the step of a code: the current, previous or next one, because clocks differ. Null if none
 * matches.
 */
export function stepOfCode(secret: Uint8Array, code: string, now: Date): number | null {
  const current = stepAt(now)
  return [current, current - 1, current + 1].find((step) => codeAt(secret, step) === code) ?? null
}

/** Encodes as base32 (RFC 4648) without padding, which apps accept as typed input. */
export function base32Of(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => letters[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

export function totpAddress(account: { site: string; email: string; secret: string }): string {
  // A colon separates the two parts of the label.
  const site = account.site.replaceAll(':', ' ')
  const label = [site, account.email].map(encodeURIComponent).join(':')
  const query = [
    `secret=${account.secret}`,
    `issuer=${encodeURIComponent(site)}`,
    'algorithm=SHA1',
    'digits=6',
    'period=30',
  ]
  return `otpauth://totp/${label}?${query.join('&')}`
}
