// Valid keys: no name, however hostile, reaches outside its bucket.

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openFileStorage } from '../../src/server/platform/storage/file-storage.ts'
import {
  assertPrefix,
  contentTypeOf,
  InvalidKey,
  isBucket,
  isKey,
} from '../../src/server/platform/storage/storage.ts'
import { sharedFile, testShared } from '../support/shared-corpora.ts'

test('keys are segments of plain characters between single slashes', () => {
  for (const key of [
    'a',
    'a.jpg',
    'users/1/General/general-17-a_b.JPG',
    '-',
    '_',
    'a..b',
    'a./b.',
  ]) {
    expect({ key, isKey: isKey(key) }).toEqual({ key, isKey: true })
  }
  const refused = ['', '.', '..', '/', 'a/', '/a', 'a//b', 'a/./b', 'a/../b', '.a', 'a/.b', '...']
  const odd = ['a b', 'a\\b', 'a\0', 'a\n', 'é.jpg', 'a%2e', 'a:b', '~', 'a?b', 'a#b', 'a+b']
  for (const key of [...refused, ...odd, undefined, null, 1, ['a'], { toString: () => 'a' }]) {
    expect({ key, isKey: isKey(key) }).toEqual({ key, isKey: false })
  }
})

test('a key has 1024 characters at most, a segment 200', () => {
  expect(isKey('a'.repeat(200))).toBe(true)
  expect(isKey('a'.repeat(201))).toBe(false)
  const long = Array.from({ length: 512 }, () => 'a').join('/')
  expect(isKey(`${long}a`)).toBe(true)
  expect(isKey(`${long}aa`)).toBe(false)
})

test('a prefix is empty, a folder or the start of a key', () => {
  for (const prefix of ['', 'a', 'users/1/', 'users/1/Gen']) {
    expect(() => assertPrefix(prefix)).not.toThrow()
  }
  for (const prefix of ['/', 'a//', '../', '.', 'a/..', 'a/.drafts/', undefined]) {
    expect(() => assertPrefix(prefix)).toThrow(InvalidKey)
  }
})

test('a bucket is one of the two by name', () => {
  expect(['user-media', 'general'].every(isBucket)).toBe(true)
  expect(['', '..', 'USER-MEDIA', 'constructor', undefined, ['general']].some(isBucket)).toBe(false)
})

test('every key, joined to a folder, stays in it', () => {
  const pieces = fc.constantFrom('.', '..', '/', '\\', 'a', '%2e', '\0', '-', '_.')
  const anything = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(pieces).map((chosen) => chosen.join('')),
  )
  const names = fc.sample(anything, { numRuns: 10_000, seed: 7 })
  const keys = names.filter(isKey)
  expect(keys.length).toBeGreaterThan(100)
  expect(keys.map((key) => join('/root', key))).toEqual(keys.map((key) => `/root/${key}`))
})

test('only the listed extensions have a type that a browser would show', () => {
  expect(contentTypeOf('users/1/a.JPG')).toBe('image/jpeg')
  expect(contentTypeOf('a.jpeg')).toBe('image/jpeg')
  expect(contentTypeOf('a.php.png')).toBe('image/png')
  expect(contentTypeOf('a.gif')).toBe('image/gif')
  expect(contentTypeOf('a.webp')).toBe('image/webp')
  expect(contentTypeOf('a.mp4')).toBe('video/mp4')
  expect(contentTypeOf('a.mov')).toBe('video/quicktime')
  expect(contentTypeOf('a.webm')).toBe('video/webm')
  const others = [
    'a.svg',
    'a.html',
    'a.jpg.php',
    'a.js',
    'a',
    'jpg',
    'a.jpg/b',
    'a.',
    'a.constructor',
  ]
  for (const key of others) expect(contentTypeOf(key)).toBe('application/octet-stream')
})

testShared('hostile names are refused as keys or end as files in the bucket', async () => {
  const names = await hostileNames()
  const dataDir = await mkdtemp(join(tmpdir(), 'lanternist-keys-'))
  try {
    await expectRefusedOrInBucket(names, dataDir)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
  return names.length
})

async function expectRefusedOrInBucket(names: string[], dataDir: string): Promise<void> {
  const storage = await openFileStorage({ dataDir })
  const kept: string[] = []
  const astray: unknown[] = []
  for (const [index, name] of names.entries()) {
    // Each name is in its own folder, so that no name has to be both a file and a folder.
    const key = `n${index}/${name}`
    await storage.put('user-media', key, Buffer.from(key)).then(
      () => kept.push(key),
      (error: unknown) => error instanceof InvalidKey || astray.push(key, error),
    )
    if (isKey(name) && !kept.includes(key)) astray.push(key)
  }
  expect(astray).toEqual([])
  const listed: string[] = []
  for await (const { key } of storage.list('user-media', '')) listed.push(key)
  expect(listed.sort()).toEqual(kept.sort())
  const onDisk = await readdir(dataDir, { recursive: true, withFileTypes: true })
  expect(onDisk.filter((entry) => entry.isFile())).toHaveLength(kept.length)
}

async function hostileNames(): Promise<string[]> {
  const folder = sharedFile('corpora/traversal/')
  const lists = (await readdir(folder)).filter((file) => file.endsWith('.txt'))
  const texts = await Promise.all(lists.map((file) => readFile(join(folder, file), 'utf8')))
  const nasty: string[] = JSON.parse(
    await readFile(sharedFile('corpora/filenames/nasty-filenames.json'), 'utf8'),
  )
  return [...texts.flatMap((text) => text.split(/\r?\n/)), ...nasty]
}
