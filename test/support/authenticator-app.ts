/** An authenticator app, for tests: returns the code of a secret. */
import { codeAt, stepAt } from '../../src/server/features/accounts/second-factor/totp.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function shownCode(secret: string, at: Date, steps = 0): string {
  const bits = Array.from(secret, (letter) => letters.indexOf(letter).toString(2).padStart(5, '0'))
  const bytes = bits.join('').match(/.{8}/g) ?? []
  const key = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
  return codeAt(key, stepAt(at) + steps)
}
