/** File names in an archive: readable, and never refused by a system or read as a path. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { safeFileName, safeName } from '../../src/server/features/archives/export/archive-names.ts'

test.each([
  ['Käse & Brot 日本.png', 'Käse & Brot 日本.png'],
  ['../../etc/passwd', '_.._etc_passwd'],
  ['C:\\Windows\\a.png', 'C_Windows_a.png'],
  ['what? "no" <b>|*.png', 'what_ _no_ _b_.png'],
  ['  .hidden.  ', 'hidden'],
  ['', 'untitled'],
  ['...', 'untitled'],
  ['a\u202Egnp.exe', 'a_gnp.exe'],
  ['a\u0000b\nc', 'a_b_c'],
  ['e\u0301', 'é'],
  ['x'.repeat(500), 'x'.repeat(160)],
  ['😀'.repeat(100), '😀'.repeat(40)],
])('%j becomes %j', (given, expected) => {
  expect(safeName(given)).toBe(expected)
})

test('a file keeps the extension that it is stored with', () => {
  expect(safeFileName('photo', 'users/1/General/general-1-photo.jpg')).toBe('photo.jpg')
  expect(safeFileName('photo.JPG', 'users/1/General/general-1-photo.jpg')).toBe('photo.JPG')
  expect(safeFileName('photo.exe', 'users/1/General/general-1-photo.jpg')).toBe('photo.exe.jpg')
})

test('for any text, the name is one segment that every system accepts', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const name = safeName(text)
      expect(name).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}<>:"/\\|?*]/u)
      expect(name).not.toMatch(/^[. ]|[. ]$/)
      expect(name).not.toBe('')
      expect(Buffer.byteLength(`2147483647-${name}`)).toBeLessThan(255)
      expect(name.isWellFormed()).toBe(true)
    }),
  )
})
