/** The layout of the built client by language. The build writes it and the server reads it. */

/** The language of the texts in the code. */
export const sourceLanguage = 'en'

/**
 * Returns the file for a language. Only scripts contain text: '/assets/page-1a2b.js' is
 * '/assets/de/page-1a2b.js' in German.
 */
export function scriptIn(language: string, file: string): string {
  const isSame = language === sourceLanguage || !file.endsWith('.js')
  return isSame ? file : file.replace('assets/', `assets/${language}/`)
}
