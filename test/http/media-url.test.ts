// Capability URLs open one file for anyone who has them, and nothing else.

import { createHmac } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addressOfMediaUrl,
  grantMediaUrl,
  readMediaAddress,
  signMediaUrl,
} from '../../src/server/http/media/media-url.ts'
import { InvalidKey } from '../../src/server/platform/storage/storage.ts'

const secret = 'a secret of the service'
const secrets = [secret] as const
const file = { bucket: 'user-media', key: 'users/1/General/a.jpg' } as const

function signatureIn(url: string): string {
  return new URL(url, 'http://localhost').searchParams.get('s') ?? ''
}
const signature = signatureIn(signMediaUrl({ secrets, ...file }))

test('a signed URL names its file, is the same each time and opens it', () => {
  const url = signMediaUrl({ secrets, ...file })
  expect(url).toMatch(/^\/media\/user-media\/users\/1\/General\/a\.jpg\?s=[\w-]{22,}$/)
  expect(signMediaUrl({ secrets, ...file })).toBe(url)
  expect(readMediaAddress({ secrets, ...file, signature })).toEqual({ file, grant: null })
})

test('the URL of a file never changes between versions, as links live as long as files', () => {
  expect(signature).toBe('YUrI39MYqoTDAFTUxxkoZfCh')
})

test('a signature opens no other file, bucket or service', () => {
  const others = [
    { ...file, key: 'users/1/General/b.jpg' },
    { ...file, key: 'users/1/General/a.jpg.jpg' },
    { ...file, key: 'users/1/General' },
    { ...file, bucket: 'general' },
    { ...file, secrets: ['another secret'] as const },
  ]
  for (const other of others) {
    expect(readMediaAddress({ secrets, ...other, signature })).toBeNull()
  }
})

test('nothing but the exact text of the signature is valid', () => {
  const padded = [`${signature}=`, ` ${signature}`, `${signature}\0`, signature.slice(0, -1)]
  const recoded = Buffer.from(signature, 'base64url').toString('base64')
  const strange = ['', undefined, null, 1, [signature], { length: signature.length }]
  for (const wrong of [...padded, `${recoded}==`, 'é'.repeat(signature.length), ...strange]) {
    expect(readMediaAddress({ secrets, ...file, signature: wrong })).toBeNull()
  }
})

test('a signature with any one character changed fails', () => {
  for (let at = 0; at < signature.length; at += 1) {
    const changed = signature[at] === 'A' ? 'B' : 'A'
    const wrong = signature.slice(0, at) + changed + signature.slice(at + 1)
    expect(readMediaAddress({ secrets, ...file, signature: wrong })).toBeNull()
  }
})

test('the secret itself signs nothing, so a cookie key and a media key always differ', () => {
  for (const text of [
    `${file.bucket}/${file.key}`,
    file.key,
    `/media/${file.bucket}/${file.key}`,
  ]) {
    const plain = createHmac('sha256', secret).update(text).digest('base64url')
    expect(plain.startsWith(signature)).toBe(false)
  }
})

test('an invalid key is neither signed nor verified', () => {
  for (const key of ['', '../a.jpg', 'a/../b.jpg', '/a.jpg', 'a b.jpg', 'a?s=b', '%2e%2e/a']) {
    expect(() => signMediaUrl({ secrets, bucket: 'general', key })).toThrow(InvalidKey)
    expect(readMediaAddress({ secrets, bucket: 'general', key, signature })).toBeNull()
  }
  // A query parser makes an array of a repeated parameter. As text, it would be the valid key.
  expect(readMediaAddress({ secrets, ...file, key: [file.key], signature })).toBeNull()
  expect(readMediaAddress({ secrets, bucket: 'nowhere', key: 'a.jpg', signature })).toBeNull()
})

test('no guess opens a file', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[\w-]{24}$/), (guess) => {
      expect(readMediaAddress({ secrets, ...file, signature: guess })).toBeNull()
    }),
  )
})

test('a grant’s address is made from the owner’s, and differs for each grant', () => {
  const own = signMediaUrl({ secrets, ...file })
  const granted = signMediaUrl({ secrets, ...file, grant: 'share.12' })
  expect(granted).toMatch(
    /^\/media\/user-media\/users\/1\/General\/a\.jpg\?g=share\.12&s=[\w-]{24}$/,
  )
  expect(grantMediaUrl(secrets, 'share.12', own)).toBe(granted)
  expect(addressOfMediaUrl(secrets, granted)).toEqual({ file, grant: 'share.12' })
  const others = [own, granted, signMediaUrl({ secrets, ...file, grant: 'share.1' })]
  expect(new Set(others.map(signatureIn)).size).toBe(3)
})

test('a grant’s signature is not valid without its grant, nor for another', () => {
  const granted = signatureIn(signMediaUrl({ secrets, ...file, grant: 'share.12' }))
  for (const grant of [
    undefined,
    null,
    '',
    'share.1',
    'share.120',
    'public.12',
    'share.12 ',
    ['share.12'],
  ])
    expect(readMediaAddress({ secrets, ...file, grant, signature: granted })).toBeNull()
  expect(readMediaAddress({ secrets, ...file, grant: 'share.12', signature })).toBeNull()
})

test('a grant creates no working address from an invented one', () => {
  const path = `/media/${file.bucket}/${file.key}`
  fc.assert(
    fc.property(fc.stringMatching(/^[\w-]{24}$/), (guess) => {
      const granted = grantMediaUrl(secrets, 'share.12', `${path}?s=${guess}`)
      expect(granted).not.toBeNull()
      expect(addressOfMediaUrl(secrets, granted ?? '')).toBeNull()
    }),
  )
  for (const strange of [
    path,
    `${path}?s=`,
    `${path}?g=share.1&s=${signature}`,
    `https://far.example${path}?s=${signature}`,
  ])
    expect(grantMediaUrl(secrets, 'share.12', strange)).toBeNull()
})

test('while a secret is changed, signatures of both are valid, and only then', () => {
  const [before, after] = [[secret], ['the secret that comes after it']] as const
  const changing = [after[0], secret] as const
  const granted = (grantedBy: readonly [string], ownersBy: readonly [string]) =>
    grantMediaUrl(grantedBy, 'share.12', signMediaUrl({ secrets: ownersBy, ...file })) ?? ''
  const addresses = [
    signMediaUrl({ secrets: before, ...file }),
    ...[before, after].flatMap((by) => [granted(by, before), granted(by, after)]),
  ]
  for (const address of addresses)
    expect(addressOfMediaUrl(changing, address)?.file, address).toEqual(file)
  expect(addressOfMediaUrl(changing, signMediaUrl({ secrets: changing, ...file }))).not.toBeNull()
  expect(signMediaUrl({ secrets: changing, ...file })).toBe(
    signMediaUrl({ secrets: after, ...file }),
  )
  const stillOpen = addresses.filter((address) => addressOfMediaUrl(after, address) !== null)
  expect(stillOpen).toEqual([granted(after, after)])
})
