/** The file of a picture for a screen: sharp on it, and no larger than needed. */
import { expect, test } from 'vitest'
import {
  pictureAddress,
  smallestAddress,
} from '../../src/web/features/player/stage/picture-address.ts'

const sizes = { 320: '/320', 640: '/640', 1280: '/1280', 1920: '/1920' }
const camera = { mediaUrl: '/original', sizes, widthPx: 6000, heightPx: 4000 }

const phone = { widthPx: 390 * 3, heightPx: 844 * 3, isFilling: false }
const largePhone = { widthPx: 430 * 3, heightPx: 932 * 3, isFilling: false }
const desk = { widthPx: 1440, heightPx: 900, isFilling: false }
const wall = { widthPx: 3840, heightPx: 2160, isFilling: false }

test.each([
  ['a phone', phone, '/1280'],
  ['a large phone', largePhone, '/1280'],
  ['a phone that is filled', { ...phone, isFilling: true }, '/1920'],
  ['a desk', desk, '/1280'],
  ['a wall', wall, '/1920'],
  ['a stamp', { widthPx: 200, heightPx: 200, isFilling: false }, '/320'],
])('a camera picture is shown on %s in its size, never as the original', (_, screen, address) => {
  expect(pictureAddress(camera, screen)).toBe(address)
})

test('a picture of unknown shape is treated as wide as the screen', () => {
  expect(pictureAddress({ ...camera, widthPx: null, heightPx: null }, desk)).toBe('/1280')
})

test('a picture that is smaller than the next size is shown as it is', () => {
  const small = { ...camera, widthPx: 1100, heightPx: 800, sizes: { 320: '/320', 640: '/640' } }
  expect(pictureAddress(small, desk)).toBe('/original')
  expect(pictureAddress({ ...small, sizes: null }, phone)).toBe('/original')
})

test('a picture no larger than a stamp takes the smallest file there is', () => {
  const slide = { ...camera, thumbnail: '/thumbnail', isMoving: false }
  expect(smallestAddress(slide)).toBe('/320')
  expect(smallestAddress({ ...slide, sizes: null })).toBe('/thumbnail')
  expect(smallestAddress({ ...slide, sizes: null, thumbnail: null })).toBe('/original')
  expect(smallestAddress({ ...slide, sizes: null, thumbnail: null, isMoving: true })).toBe(null)
})
