/** The demo's narrator: its captions are readable, varied, and always the same for the same picture. */
import { describe, expect, test } from 'vitest'
import { lookAt } from '../../demo/narration/look.ts'
import { createNarrator } from '../../demo/narration/narrator.ts'
import type { CaptionOrder } from '../../src/server/features/captions/provider/caption-provider.ts'
import { allVoices, chooseVoice } from '../../src/server/features/captions/provider/voices.ts'
import { sharp } from '../../src/server/media/libvips.ts'

const signal = new AbortController().signal
const demo = createNarrator()

const ask = (order: Partial<CaptionOrder> & Pick<CaptionOrder, 'picture'>) =>
  demo.ask(
    { purpose: 'playback', voice: chooseVoice(null, 'slowwater'), material: {}, ...order },
    { attempt: 1, signal },
  )

/** Paints a plain sky over a plain ground. */
function paint(sky: string, ground: string, size = { width: 160, height: 100 }): Promise<Buffer> {
  const half = { ...size, height: Math.round(size.height / 2), channels: 3 as const }
  return sharp({ create: { ...half, background: ground } })
    .extend({ top: half.height, background: sky })
    .jpeg()
    .toBuffer()
}

const hues = Array.from(
  { length: 25 },
  (_, n) => `hsl(${(n * 47) % 360}, 60%, ${20 + ((n * 13) % 60)}%)`,
)

describe('a look', () => {
  test('names colours, light, shape and where it is brightest', async () => {
    expect(await lookAt(await paint('#f8f4e8', '#0a1030'))).toMatchObject({
      above: 'straw',
      below: 'midnight blue',
      brightest: 'the top',
      contrast: 'sharp',
      shape: 'wide',
    })
    const night = await lookAt(await paint('#050508', '#101018', { width: 80, height: 160 }))
    expect(night).toMatchObject({ light: 'dark', contrast: 'soft', shape: 'tall', detail: 'calm' })
    const day = await lookAt(await paint('#e8f0f8', '#f8f8f0', { width: 100, height: 100 }))
    expect(day).toMatchObject({ light: 'bright', shape: 'square' })
    expect(await lookAt(await paint('#e07010', '#c05010'))).toMatchObject({ warmth: 'warm' })
  })
})

describe('lines', () => {
  test('are the same for the same picture, and others for another of the same title', async () => {
    const material = { title: 'Evening, the tide turning', subfeed: 'slowwater' }
    const [one, other] = [await paint('#203050', '#102030'), await paint('#203052', '#102030')]
    const first = await ask({ picture: one, material })
    expect(await ask({ picture: one, material })).toBe(first)
    expect(await ask({ picture: other, material })).not.toBe(first)
  })

  test('of 25 slides in a row have 50 to 150 characters and hardly repeat themselves', async () => {
    const lines: string[] = []
    for (const [n, hue] of hues.entries())
      lines.push(
        await ask({
          picture: await paint(hue, hues[(n + 7) % 25]!),
          material: { title: n % 3 === 0 ? null : `Number ${n} of the bay`, subfeed: 'slowwater' },
        }),
      )
    for (const line of lines) {
      expect(line.length, line).toBeGreaterThanOrEqual(50)
      expect(line.length, line).toBeLessThanOrEqual(150)
      expect(line).toMatch(/^[\p{L}“].*[.?!]$/u)
    }
    expect(new Set(lines).size).toBe(25)
    const sentences = lines.flatMap((line) => line.match(/[^.?!]+[.?!]/g) ?? [])
    const counts = Map.groupBy(sentences, (sentence) => sentence.trim())
    expect(Math.max(...[...counts.values()].map(({ length }) => length))).toBeLessThanOrEqual(5)
  })

  test('quote a title only where it reads well', async () => {
    const picture = await paint('#203050', '#102030')
    const lines = await Promise.all(
      ['[OC] LOOK!!! https://x.example [3000x2000]', 'x'.repeat(90), '<script>'].map((title) =>
        ask({ picture, material: { title } }),
      ),
    )
    expect(lines.join(' ')).not.toMatch(/OC|https|xxx|script/)
  })

  test('of every voice are decent', async () => {
    const crude = /\b(sex\w*|nude|naked|cock|dick|cum|orgasm|slut|bitch|cuck\w*|moan|strip)\b/i
    for (const voice of allVoices())
      for (const hue of hues.slice(0, 6)) {
        const line = await ask({ picture: await paint(hue, '#222222'), voice })
        expect(line).not.toMatch(crude)
        expect(line.length).toBeGreaterThanOrEqual(50)
      }
  })
})

describe('in the editor', () => {
  test('lines are longer, fit the beginning and the end, and do not repeat their neighbours', async () => {
    const picture = await paint('#803020', '#402010')
    const at = (index: number, previousCaptions: string[] = []) =>
      ask({
        picture,
        purpose: 'manual',
        material: { position: { index, total: 9 }, previousCaptions },
      })
    const middle = await at(4)
    expect(middle.length).toBeGreaterThanOrEqual(50)
    expect(middle.length).toBeLessThanOrEqual(400)
    expect(await at(0)).toMatch(/begin|comfortable|Settle/)
    expect(await at(8)).toMatch(/end|last|fade/)
    const next = await at(5, [middle])
    for (const sentence of next.match(/[^.?!]+[.?!]/g) ?? [])
      expect(middle).not.toContain(sentence.trim())
  })

  test('a rewritten caption is another one, and a shorter one on request', async () => {
    const caption = 'Look at the bay. Breathe out.'
    const rewrite = (instruction: string) =>
      ask({ picture: null, purpose: 'rewrite', material: { caption, instruction } })
    expect(await rewrite('make it fresher')).toContain('Look at the bay.')
    expect(await rewrite('make it fresher')).not.toBe(caption)
    expect(await rewrite('make it shorter')).toBe('Look at the bay.')
  })
})
