/**
 * Every scene can be painted, and is the same each time. Small sizes: people judge the pictures
 * themselves.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { subfeeds } from '../../demo/feed/subfeeds.ts'
import type { Painting } from '../../demo/painting/painting.ts'
import { render } from '../../demo/painting/render.ts'
import type { Commission, Scene, SceneName } from '../../demo/painting/repertoire.ts'
import { repertoire } from '../../demo/painting/repertoire.ts'
import { scenes } from '../../demo/painting/scenes/scenes.ts'

const width = 96
const height = 60

const every = (Object.keys(repertoire) as SceneName[]).flatMap((name) =>
  repertoire[name].moods.map((mood): [SceneName, string] => [name, mood]),
)

test.each(every)('%s in %s is not empty, and the same each time', (name, mood) => {
  const bytes = paint(name, { mood })
  expect(bytes).toHaveLength(width * height * 3)
  expect(spreadOf(bytes)).toBeGreaterThan(4)
  expect(paint(name, { mood }).equals(bytes)).toBe(true)
})

test.each(Object.keys(repertoire) as SceneName[])('%s differs from seed to seed', (name) => {
  const [mood = ''] = repertoire[name].moods
  expect(paint(name, { mood, seed: 2 }).equals(paint(name, { mood, seed: 1 }))).toBe(false)
})

test.each(Object.keys(repertoire) as SceneName[])(
  '%s is the same picture at every size',
  async (name) => {
    const [mood = ''] = repertoire[name].moods
    const [small, large] = await Promise.all(
      [width * 4, width * 8].map((wide) => shrunk(paint(name, { mood, wide }), wide)),
    )
    expect(differenceOf(small ?? Buffer.alloc(0), large ?? Buffer.alloc(0))).toBeLessThan(5)
  },
)

const moving = new Set(subfeeds.flatMap(({ moving }) => moving.map(({ scene }) => scene)))

test.each([...moving])('%s moves, and its end joins its start', (name) => {
  const [mood = ''] = repertoire[name].moods
  const start = paint(name, { mood })
  const moved = differenceOf(start, paint(name, { mood, phase: 0.35 }))
  expect(moved).toBeGreaterThan(0.02)
  expect(differenceOf(start, paint(name, { mood, phase: 1 }))).toBeLessThan(moved / 10)
})

test('another process paints the same bytes', async () => {
  const code = `
    import { createHash } from 'node:crypto'
    import { scenes } from './demo/painting/scenes/scenes.ts'
    const bytes = scenes.lake({ seed: 7, mood: 'dusk', width: 96, height: 60, phase: 0 })
    console.log(createHash('sha256').update(bytes).digest('hex'))`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', code],
    { cwd: new URL('../..', import.meta.url) },
  )
  const bytes = paint('lake', { mood: 'dusk', seed: 7 })
  expect(stdout.trim()).toBe(createHash('sha256').update(bytes).digest('hex'))
})

describe('a file', () => {
  const painting: Painting = {
    id: 'a-01',
    scene: 'papercut',
    mood: 'ocean',
    seed: 3,
    extension: 'jpg',
    type: 'image',
    width,
    height,
  }

  test('of a picture is the same twice, with a thumbnail beside it', async () => {
    const whole = { painting, part: 'whole' } as const
    const [once, again] = [await render(whole), await render(whole)]
    expect(once.equals(again)).toBe(true)
    expect(await sharp(once).metadata()).toMatchObject({ format: 'jpeg', width, height })
    const thumbnail = await render({ painting, part: 'thumbnail' })
    expect(await sharp(thumbnail).metadata()).toMatchObject({ format: 'jpeg' })
  })

  test.each(['webp', 'gif'] as const)('of an animation (%s) moves for ever', async (extension) => {
    const moving: Painting = {
      ...painting,
      scene: 'chromatrope',
      mood: 'star',
      type: 'gif',
      extension,
    }
    const file = await render({ painting: moving, part: 'whole' })
    const facts = await sharp(file, { animated: true }).metadata()
    expect(facts).toMatchObject({ format: extension, width, pageHeight: height, loop: 0 })
    expect(facts.pages).toBeGreaterThanOrEqual(10)
    expect(facts.delay?.[0]).toBeGreaterThanOrEqual(20)
  })
})

type Given = { mood: string; seed?: number; phase?: number; wide?: number }

function paint(name: SceneName, { mood, seed = 1, phase = 0, wide = width }: Given): Buffer {
  const scene = scenes[name] as Scene<SceneName>
  const size = { width: wide, height: (wide * height) / width }
  return Buffer.from(scene({ seed, mood: mood as Commission['mood'], ...size, phase }))
}

function shrunk(bytes: Buffer, wide: number): Promise<Buffer> {
  const raw = { width: wide, height: (wide * height) / width, channels: 3 as const }
  return sharp(bytes, { raw }).resize(width, height).raw().toBuffer()
}

/** Returns the standard deviation of the bytes: 0 for a flat sheet. */
function spreadOf(bytes: Buffer): number {
  const mean = bytes.reduce((sum, byte) => sum + byte, 0) / bytes.length
  return Math.sqrt(bytes.reduce((sum, byte) => sum + (byte - mean) ** 2, 0) / bytes.length)
}

/** Returns the average difference of two pictures, in shades of 0 to 255. */
function differenceOf(one: Buffer, other: Buffer): number {
  return one.reduce((sum, byte, i) => sum + Math.abs(byte - (other[i] ?? 0)), 0) / one.length
}
