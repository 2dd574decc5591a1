/** The codes of authenticator apps, against the vectors of RFC 6238 (SHA-1) and RFC 4648. */
import { expect, test } from 'vitest'
import {
  base32Of,
  codeAt,
  stepAt,
  stepOfCode,
  totpAddress,
} from '../../src/server/features/accounts/second-factor/totp.ts'

const secret = Buffer.from('12345678901234567890')

test.each([
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
])('at second %i the code is %s', (seconds, code) => {
  const step = stepAt(new Date(seconds * 1000))
  expect(codeAt(secret, step, 8)).toBe(code)
  expect(codeAt(secret, step)).toBe(code.slice(2))
})

test('a code belongs to its step for one step either way', () => {
  const time = new Date(1111111111_000)
  const step = stepAt(time)
  const found = [-2, -1, 0, 1, 2].map((away) =>
    stepOfCode(secret, codeAt(secret, step + away), time),
  )
  expect(found).toEqual([null, step - 1, step, step + 1, null])
})

test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foobar', 'MZXW6YTBOI'],
])('base32 of "%s" is "%s"', (text, encoded) => {
  expect(base32Of(Buffer.from(text))).toBe(encoded)
})

test('a colon in the name of the site does not part the label', () => {
  const address = totpAddress({ site: 'Pics: mine', email: 'a@b.example', secret: 'MY' })
  expect(address).toContain('/Pics%20%20mine:a%40b.example?')
})
