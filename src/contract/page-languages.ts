/** How the built client is laid out by language: known to the build, which writes it, and to the server. */

/** The language in which the words stand in the code. */
export const sourceLanguage = 'en'

/** Only scripts have words: '/assets/page-1a2b.js' is '/assets/de/page-1a2b.js' in German. */
export function scriptIn(language: string, file: string): string {
  const isSame = language === sourceLanguage || !file.endsWith('.js')
  return isSame ? file : file.replace('assets/', `assets/${language}/`)
}
