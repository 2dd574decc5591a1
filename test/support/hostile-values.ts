/** Texts, JSON bodies and file names of the corpora, and values of every wrong type. */
import { readdirSync, readFileSync } from 'node:fs'
import type { Random } from './fault.ts'
import { readLines, sharedFile } from './shared-corpora.ts'

export type HostileValues = {
  text(): string
  /** Returns any JSON value, rarely a valid one. */
  value(): unknown
  /** Returns a whole body, which may be invalid JSON. */
  body(): Buffer
  fileName(): string
}

const textLists = [
  'amounts.txt',
  'format-strings.txt',
  'json-fuzzing.txt',
  'metacharacters.txt',
  'sqli-polyglots.txt',
  'sqli-quick.txt',
  'uri-xss.txt',
]

const oddNumbers = [
  0,
  -1,
  1.5,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  2 ** 63,
  1e308,
  -1e-300,
  Number.MAX_SAFE_INTEGER,
]

export function readHostileValues(random: Random): HostileValues {
  const file = (name: string) => readFileSync(sharedFile(`corpora/${name}`), 'utf8')
  const texts = [
    ...(JSON.parse(file('strings/blns.json')) as string[]),
    ...(JSON.parse(file('strings/extra-strings.json')) as string[]),
    ...textLists.flatMap((name) => readLines(sharedFile(`corpora/strings/${name}`))),
    ...['LFI-Jhaddix.txt', 'directory_traversal.txt'].flatMap((name) =>
      readLines(sharedFile(`corpora/traversal/${name}`)),
    ),
  ].filter((text) => typeof text === 'string')
  const folder = sharedFile('corpora/json/test_parsing')
  const bodies = [
    ...readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`)),
    ...Object.values(JSON.parse(file('json/hostile-bodies.json')) as Record<string, string>).map(
      (body) => Buffer.from(body),
    ),
  ]
  const fileNames = namesIn(JSON.parse(file('filenames/nasty-filenames.json')))
  const value = (): unknown => {
    const kind = random.between(0, 10)
    if (kind < 5) return random.pick(texts)
    if (kind === 5) return random.pick(oddNumbers)
    if (kind === 6) return random.pick([null, true, false, [], {}, [[]], [null], { length: -1 }])
    if (kind === 7) return Array.from({ length: random.between(1, 600) }, () => random.pick(texts))
    if (kind === 8) return { [random.pick(texts)]: random.pick(texts), __proto__: null }
    // Valid except for a character that no database stores, so it passes as a title or a name.
    if (kind === 9) return `${random.pick(['Harbour', 'a'])}${random.pick(['\u0000', '\ud800'])}`
    return random.pick(texts).repeat(random.between(1, 50)).slice(0, 200_000)
  }
  return {
    text: () => random.pick(texts),
    value,
    body: () => random.pick(bodies),
    fileName: () => random.pick(fileNames),
  }
}

/** Flattens nested lists. */
function namesIn(list: unknown): string[] {
  if (typeof list === 'string') return [list]
  return typeof list === 'object' && list !== null ? Object.values(list).flatMap(namesIn) : []
}
