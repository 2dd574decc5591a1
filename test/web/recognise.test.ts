/** The import page recognises what it gets before it sends anything. */
import { expect, test } from 'vitest'
import {
  maxAddresses,
  recogniseFile,
  recogniseText,
} from '../../src/web/features/imports/recognise.ts'
import { formatSize } from '../../src/web/words/figures.ts'

const post = { kind: 't3', data: { id: 'a', permalink: '/r/harbours/a', subreddit: 'harbours' } }
const other = { kind: 't3', data: { id: 'b', permalink: '/r/tides/b', subreddit: 'tides' } }
const comment = { kind: 't1', data: { id: 'c' } }
const listing = (...children: unknown[]) => ({ kind: 'Listing', data: { children } })
const view = (name: string) => ({ post: { id: 1, name: 'Dawn' }, community: { name } })

test('an address of an imgchest post is recognised, with any text around it', () => {
  for (const url of ['https://imgchest.com/p/3na7kr3by8d', 'http://www.imgchest.com/p/a1/?x#y'])
    expect(recogniseText(`\n  ${url} \n`)).toEqual({
      kind: 'post',
      url,
      says: 'An imgchest post',
      notes: [url],
    })
})

test('lines of addresses are a list of each of them once, and the other lines are counted', () => {
  const text =
    'https://a.example/1.jpg\r\n\r\nhttps://b.example/2.jpg\nwords\nhttps://a.example/1.jpg'
  expect(recogniseText(text)).toEqual({
    kind: 'urls',
    urls: ['https://a.example/1.jpg', 'https://b.example/2.jpg'],
    says: 'A list of 2 addresses',
    notes: ['1 line without an address will be left out.', 'From a.example, b.example'],
    suggestedTitle: '',
  })
})

test('what is dragged from another window may carry remarks for programs', () => {
  const seen = recogniseText('# a link\r\nhttps://www.a.example/1.jpg')
  expect(seen).toMatchObject({
    says: 'A list of 1 address',
    notes: ['https://www.a.example/1.jpg'],
    suggestedTitle: 'From a.example',
  })
})

test('no more addresses are taken than a session holds', () => {
  const lines = Array.from({ length: maxAddresses + 12 }, (_, n) => `https://a.example/${n}.jpg`)
  const seen = recogniseText(lines.join('\n'))
  expect(seen).toMatchObject({
    says: 'A list of 512 addresses',
    notes: ['Only the first 500 are imported.', 'From a.example'],
  })
  expect(seen.kind === 'urls' && seen.urls.length).toBe(maxAddresses)
})

test('a JSON list of addresses is a list of addresses', () => {
  const seen = recogniseText('["https://a.example/1.jpg","https://a.example/2.jpg"]', 'my links')
  expect(seen).toMatchObject({
    kind: 'urls',
    says: 'A list of 2 addresses',
    suggestedTitle: 'my links',
  })
})

test.each([
  { name: 'a listing', given: listing(post, post), says: 'with 2 posts', title: 'harbours' },
  {
    name: 'the page of a post',
    given: [listing(post), listing(comment)],
    says: 'with 1 post',
    title: 'harbours',
  },
  { name: 'one post', given: post, says: 'with 1 post', title: 'harbours' },
  {
    name: 'posts without their listing',
    given: [post, other],
    says: 'with 2 posts',
    title: 'Reddit listing',
  },
  { name: 'bare posts', given: [post.data], says: 'with 1 post', title: 'harbours' },
])('Reddit: $name', ({ given, says, title }) => {
  expect(recogniseText(JSON.stringify(given))).toMatchObject({
    kind: 'listing',
    listing: given,
    says: `A Reddit listing ${says}`,
    suggestedTitle: title,
  })
})

test.each([
  { name: 'of version 3', given: { posts: [view('coast'), view('coast')] } },
  { name: 'of version 4', given: { items: [view('coast'), view('coast')], next_page: 'x' } },
  { name: 'without its wrapping', given: [view('coast'), view('coast')] },
])('Lemmy: a listing $name', ({ given }) => {
  expect(recogniseText(JSON.stringify(given), 'saved')).toMatchObject({
    kind: 'listing',
    says: 'A Lemmy listing with 2 posts',
    notes: ['All from coast', 'Posts without a picture or video are left out.'],
    suggestedTitle: 'coast',
  })
})

test.each([
  ['  ', 'It is empty.'],
  ['only words', 'No address was found'],
  ['javascript:alert(1)', 'No address was found'],
  ['{"kind":"Listing", "da', 'incomplete'],
  ['{"a":1}', 'not a listing of posts'],
  ['[1,2]', 'not a listing of posts'],
  [JSON.stringify(listing()), 'has no posts'],
  ['{"posts":[]}', 'has no posts'],
  ['{"format":"lanternist","version":1}', 'Import the whole zip'],
  ['https://www.reddit.com/r/harbours/top', 'with .json at the end'],
  ['https://imgchest.com/p/a1\nhttps://imgchest.com/p/a2', 'Import one at a time'],
  ['https://imgchest.com/p/a1\nhttps://a.example/1.jpg', 'each post on its own'],
])('%j is nothing to import, and it is said why', (text, why) => {
  expect(recogniseText(text)).toEqual({ kind: 'nothing', why: expect.stringContaining(why) })
})

test('a zip is recognised by its first bytes, under any name', async () => {
  const zip = new File(['PK\u0003\u0004', 'x'.repeat(12_400_000)], 'Harbours.bin')
  expect(await recogniseFile(zip)).toEqual({
    kind: 'archive',
    file: zip,
    says: 'An archive, 11.8 MB',
    notes: ['Harbours.bin'],
  })
  for (const content of ['none at all', 'XK\u0003\u0004'])
    expect(await recogniseFile(new File([content], 'broken.zip'))).toMatchObject({
      why: expect.stringContaining('is not a valid zip'),
    })
})

test('a text file names the session, in whichever letters it was written', async () => {
  const address = 'https://a.example/1.jpg'
  const wide = new Uint8Array([0xff, 0xfe, ...Buffer.from(address, 'utf16le')])
  for (const content of [address, `\uFEFF${address}`, wide])
    expect(await recogniseFile(new File([content], 'Slow_mornings.txt'))).toMatchObject({
      kind: 'urls',
      urls: [address],
      suggestedTitle: 'Slow mornings',
    })
})

test.each([
  [new File([], 'a.txt'), 'is empty'],
  [new File(['x'], 'a.jpg', { type: 'image/jpeg' }), 'is not a JPEG'],
  [new File(['x'], 'a.mp4', { type: 'video/mp4' }), 'is not a JPEG'],
  [new File(['a\0b'], 'a.exe'), 'neither a zip nor a text'],
  [new File(['x'.repeat(5_300_000)], 'a.json'), '5 MB at most'],
])('file %#: the reason is given', async (file, why) => {
  expect(await recogniseFile(file)).toEqual({
    kind: 'nothing',
    why: expect.stringContaining(why),
  })
})

test('sizes are written as people read them', () => {
  const [kb, mb] = [1024, 1024 ** 2]
  const sizes = [1, 999, kb, 999 * kb, 1000 * kb, 12.4 * mb, 123 * mb, 2560 * mb, 5120 * mb]
  expect(sizes.map(formatSize)).toEqual([
    '1 byte',
    '999 bytes',
    '1 kB',
    '999 kB',
    '1 MB',
    '12.4 MB',
    '123 MB',
    '2.5 GB',
    '5 GB',
  ])
})
