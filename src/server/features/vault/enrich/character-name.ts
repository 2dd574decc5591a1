/**
 * Finds the name of a person in a picture, only in text that belongs to it: an embedded title, a
 * caption or a file name that is a name or begins with one. Faces are never recognised (contract 1.4).
 */

/** Words that often begin with a capital letter in titles and file names but are no names. */
const noNames: ReadonlySet<string> = new Set(
  (
    'a an the my our your his her new old untitled title image images img picture pictures pic photo ' +
    'photos photograph video videos movie clip screen screenshot shot capture recording download ' +
    'downloads file document scan copy final draft edit edited original export camera phone iphone ' +
    'android samsung canon nikon sony gopro whatsapp telegram instagram facebook twitter reddit ' +
    'snapchat tiktok discord upload uploads general smart caption babecock hypnococks profile ' +
    'january february march april may june july august september october november december ' +
    'jan feb mar apr jun jul aug sep oct nov dec monday tuesday wednesday thursday friday saturday ' +
    'sunday mon tue wed thu fri sat sun day night morning evening summer winter spring autumn part ' +
    'chapter episode season volume page set album gallery wallpaper background portrait landscape ' +
    'sunset sunrise beach mountain city street house garden forest river lake sea sky flower flowers ' +
    'happy birthday merry christmas test example sample made with from this that and of in on at'
  ).split(' '),
)

const nameWord = String.raw`\p{Lu}(?:\p{Ll}|['’]\p{Lu}?)+(?:-\p{Lu}\p{Ll}+)?`
const nameThenMore = new RegExp(String.raw`^(${nameWord}(?: ${nameWord}){0,2}) [-–—|:] \S`, 'u')
const nameAlone = new RegExp(
  String.raw`^(${nameWord} ${nameWord}(?: ${nameWord})?)(?: ?[(#]?\d{1,4}\)?)?$`,
  'u',
)

export function characterNameOf(words: {
  readonly title: string | null
  readonly caption: string | null
  readonly originalName: string
}): string | null {
  const texts = [words.title, words.caption, wordsOfFileName(words.originalName)]
  for (const text of texts) {
    const name = nameIn(text?.trim() ?? '')
    if (name !== null) return name
  }
  return null
}

function nameIn(text: string): string | null {
  const name = nameThenMore.exec(text)?.[1] ?? nameAlone.exec(text)?.[1]
  if (name === undefined || name.length > 60) return null
  const isOrdinary = name.split(' ').some((word) => noNames.has(word.toLowerCase()))
  return isOrdinary ? null : name
}

/** Turns 'Ada_Lovelace-02.jpg' into 'Ada Lovelace 02'. */
function wordsOfFileName(fileName: string): string {
  return (
    fileName
      .replace(/\.[a-z0-9]{1,5}$/i, '')
      // The prefix of a stored upload.
      .replace(/^[a-z-]+-\d{10,}-/, '')
      .replaceAll(/_-_/g, ' - ')
      .replaceAll(/[_.+]+/g, ' ')
      .replace(/(?<=\p{L})-(?=\d)/gu, ' ')
      .replaceAll(/ {2,}/g, ' ')
      .trim()
  )
}
