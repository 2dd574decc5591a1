/** The language in which a site answers a visitor. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { languageFor } from '../../src/server/http/page-language.ts'

const languages = ['en', 'de', 'pt-BR']

function asked(acceptLanguage: string | undefined, choice?: string): string {
  const cookies = choice === undefined ? {} : { lanternist_language: choice }
  return languageFor(languages, { cookies, acceptLanguage })
}

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['fr', 'en'],
  ['de', 'de'],
  ['de-AT', 'de'],
  ['DE-ch', 'de'],
  ['pt', 'pt-BR'],
  ['fr-FR, de;q=0.5', 'de'],
  ['en;q=0.3, de;q=0.9', 'de'],
  ['de;q=0, en', 'en'],
  ['de;q=x, en;q=0.1', 'en'],
  ['deutsch', 'en'],
  ['en ; q=0.3, de ;\tq=0.9', 'de'],
])('for %j the language is %s', (header, language) => {
  expect(asked(header)).toBe(language)
})

test('the chosen language wins over the browser’s, unless the site does not have it', () => {
  expect(asked('de', 'en')).toBe('en')
  expect(asked('fr', 'de')).toBe('de')
  expect(asked('de', 'xx')).toBe('de')
  expect(asked('de', '"><script>')).toBe('de')
})

test('for any request, the language is one of the site’s', () => {
  const hostile = fc.array(fc.constantFrom('de', '-', ';', 'q=', ',', '*', ' ', '1e9', '\0', 'pt'))
  fc.assert(
    fc.property(hostile, hostile, (header, choice) => {
      expect(languages).toContain(asked(header.join(''), choice.join('')))
    }),
  )
})
