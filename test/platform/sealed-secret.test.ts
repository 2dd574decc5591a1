/** Secrets sealed with SECRET_KEYS: keys can be replaced, and no secret opens for another owner. */
import { expect, test } from 'vitest'
import { seal, unseal } from '../../src/server/platform/sealed-secret.ts'

const [first, second] = ['the first key of the site', 'the second key of the site']
const ofAna = { purpose: 'totp', owner: 'ana' } as const
const secret = Buffer.from('a secret')

test('the first key encrypts, and every key decrypts', () => {
  const sealed = seal([first], ofAna, secret)
  expect(unseal([first], ofAna, sealed)).toEqual(secret)
  expect(unseal([second, first], ofAna, sealed)).toEqual(secret)
  expect(unseal([second], ofAna, sealed)).toBeNull()
  expect(unseal([second], ofAna, seal([second, first], ofAna, secret))).toEqual(secret)
})

test('the text differs each time, and decrypts neither for another owner nor after a change', () => {
  const sealed = seal([first], ofAna, secret)
  expect(seal([first], ofAna, secret)).not.toEqual(sealed)
  expect(unseal([first], { ...ofAna, owner: 'bo' }, sealed)).toBeNull()
  for (const index of [0, 5, 20, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed[index] = (changed[index] ?? 0) ^ 1
    expect(unseal([first], ofAna, changed)).toBeNull()
  }
  expect(unseal([first], ofAna, Buffer.alloc(3))).toBeNull()
})
