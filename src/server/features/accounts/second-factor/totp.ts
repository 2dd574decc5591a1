/** Codes that change with the time (RFC 6238), as authenticator apps make them: SHA-1, 30 seconds. */
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
  // The last byte says where in the digest the number stands; its first bit is left out.
  const offset = (digest.at(-1) ?? 0) & 0xf
  const number = digest.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** The step that the code belongs to: this one, or the one before or after, as clocks differ. */
export function stepOfCode(secret: Uint8Array, code: string, now: Date): number | null {
  const current = stepAt(now)
  return [current, current - 1, current + 1].find((step) => codeAt(secret, step) === code) ?? null
}

/** RFC 4648, without padding: what apps take when it is typed in. */
export function base32Of(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => letters[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

export function totpAddress(account: { site: string; email: string; secret: string }): string {
  // A colon parts the two names of the label.
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
