/** Cleaning a provider's answer before it becomes a caption. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  repeatsInstructions,
  shapeCaption,
} from '../../src/server/features/captions/provider/shape-caption.ts'

const closing = 'Stay with this one a little longer, and let it sink in.'
const any = { min: 0, max: 400 }
const shape = (answer: string, length = any) => shapeCaption(answer, length, closing)

describe('what is not part of a caption is removed', () => {
  test.each([
    ['**Look** at the *light*, and `breathe`.', 'Look at the light, and breathe.'],
    ['# A heading\n\nLook up.', 'A heading Look up.'],
    ['```text\nLook up now.\n```', 'Look up now.'],
    ['> Look up.\n> Stay.', 'Look up. Stay.'],
    ['- Look up.\n- Stay.', 'Look up. Stay.'],
    ['See [the bay](https://x.example/a) now.', 'See the bay now.'],
    ['<b>Look</b> up.', 'Look up.'],
    ['"Look up, and stay."', 'Look up, and stay.'],
    ['“Look up, and stay.”', 'Look up, and stay.'],
    ['"Look up, and stay.', 'Look up, and stay.'],
    ['Caption: Look up.', 'Look up.'],
    ['Here is a caption for your picture: "Look up."', 'Look up.'],
    ['Sure! Here’s the rewritten caption: Look up.', 'Look up.'],
    ['Slide 3: Look up.', 'Look up.'],
    ['Slide 3 of 25 – Look up.', 'Look up.'],
    ['**Slide 3/25:** "Look up."', 'Look up.'],
    ['[3/25] Look up.', 'Look up.'],
    ['#3: Look up.', 'Look up.'],
    ['Picture two: Look up.', 'Look up.'],
    ['Look up (slide 3 of 25).', 'Look up.'],
    ['As on slide 3, look up.', 'As on this picture, look up.'],
    ['Look\n\nup,\tand   stay.', 'Look up, and stay.'],
    ['<think>He wants a caption.</think>Look up.', 'Look up.'],
    ['Look\u202e up\u200b.', 'Look up.'],
    ['snake_case stays, _this_ does not', 'snake_case stays, this does not'],
    ['"Yes" and "no" are in it.', '"Yes" and "no" are in it.'],
  ])('%j', (answer, caption) => {
    expect(shape(answer)).toBe(caption)
  })

  test.each(['', '   ', '***', '""', '<think>only this', '…'])('%j is no caption', (answer) => {
    expect(shape(answer)).toBeNull()
  })
})

describe('its length', () => {
  test('is cut at the end of a sentence if that leaves enough', () => {
    const text = `${'One two three four five. '.repeat(6)}And then some more.`
    expect(shape(text, { min: 0, max: 150 })).toBe('One two three four five. '.repeat(6).trim())
  })

  test('is otherwise cut after a whole word', () => {
    const text = Array.from({ length: 60 }, (_, n) => `word${n}`).join(' ')
    const caption = shape(text, { min: 0, max: 150 }) ?? ''
    expect(caption.length).toBeLessThanOrEqual(150)
    expect(text.startsWith(`${caption.slice(0, -1)} `)).toBe(true)
  })

  test('is extended if the contract requires more', () => {
    expect(shape('Look up', { min: 50, max: 400 })).toBe(`Look up. ${closing}`)
  })
})

describe('always', () => {
  const answers = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 800 }),
    fc.string({ unit: 'binary', maxLength: 800 }),
    fc
      .array(
        fc.oneof(
          fc.lorem({ maxCount: 12 }),
          fc.constantFrom(
            '**',
            '_',
            '`',
            '"',
            '“',
            '”',
            '# ',
            '\n',
            '\n- ',
            'Slide 3: ',
            '(slide 4)',
          ),
          fc.constantFrom('slide #5 of 9', 'Caption: ', 'Here is one: ', '<b>', '[a](b)', '3/25 '),
        ),
        { maxLength: 60 },
      )
      .map((parts) => parts.join(' ')),
  )
  const lengths = fc.constantFrom({ min: 0, max: 150 }, { min: 50, max: 400 }, any)

  test('one paragraph of the right length without marks, numbers and quotes around it', () => {
    fc.assert(
      fc.property(answers, lengths, (answer, length) => {
        const caption = shape(answer, length)
        if (caption === null) return
        expect(caption.length).toBeLessThanOrEqual(length.max)
        expect(caption.length).toBeGreaterThanOrEqual(length.min)
        expect(caption).toBe(caption.trim())
        expect(caption).not.toMatch(/[\n\r\t*`]|\s{2,}|\bslides?\s*#?\d/i)
        expect(caption).not.toMatch(/^"[^"]*"$|^“[^”]*”$|^«[^»]*»$/)
        expect(caption.isWellFormed()).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('a caption that was shaped stays as it is', () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const caption = shape(answer)
        if (caption !== null) expect(shape(caption)).toBe(caption)
      }),
      { numRuns: 500 },
    )
  })
})

test('eight consecutive words of the instructions count as a leak, seven do not', () => {
  const told = 'Never say or guess who a person is: no names, no identity, no origin.'
  expect(repeatsInstructions('I was told: never say OR guess who a person is!', told)).toBe(true)
  expect(repeatsInstructions('Never say or guess who a person', told)).toBe(false)
  expect(repeatsInstructions('Look up, and stay with the light for a while longer.', told)).toBe(
    false,
  )
})
