/** Kept films are served in ranges, as a server does. */
import { describe, expect, test } from 'vitest'
import { givePart } from '../../src/web/worker/kept-files.ts'

const film = () => new Response('0123456789', { headers: { 'content-type': 'video/mp4' } })

async function part(range: string | null) {
  const given = await givePart(film(), range)
  return [given.status, given.headers.get('content-range'), await given.text()]
}

describe('a kept file', () => {
  test('is returned whole without a range', async () => {
    expect(await part(null)).toEqual([200, null, '0123456789'])
    expect(await part('bytes=-')).toEqual([200, null, '0123456789'])
    expect(await part('lines=1-2')).toEqual([200, null, '0123456789'])
  })

  test.each([
    ['bytes=0-', 'bytes 0-9/10', '0123456789'],
    ['bytes=2-4', 'bytes 2-4/10', '234'],
    ['bytes=8-99', 'bytes 8-9/10', '89'],
    ['bytes=-3', 'bytes 7-9/10', '789'],
    ['bytes=-99', 'bytes 0-9/10', '0123456789'],
  ])('returns %s', async (range, told, text) => {
    expect(await part(range)).toEqual([206, told, text])
    expect((await givePart(film(), range)).headers.get('content-type')).toBe('video/mp4')
  })

  test.each(['bytes=10-', 'bytes=5-4', 'bytes=-0'])('has nothing at %s', async (range) => {
    expect(await part(range)).toEqual([416, 'bytes */10', ''])
  })
})
