/** Comments, texts and pages avoid words that had to be read twice (CONTRIBUTING.md has the glossary). */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'vite'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const unwanted = /\b(whoever|whomever|anew|deeds?)\b/i
/** A doc comment begins with a verb or a noun. */
const unwantedOpening = /^(What|Whatever|Whether|Whoever|Who|That)\b/

function filesIn(folder: string, ending: RegExp): string[] {
  return readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`)
}

function commentsIn(file: string, code: string) {
  return parseSync(file, code).comments.map(({ value, start }) => {
    const line = code.slice(0, start).split('\n').length
    return { at: `${file}:${line}`, text: value.replace(/^[\s*]+/, '') }
  })
}

/** Returns the texts in string literals. A string without a space is a name or a value. */
function textsIn(file: string, code: string) {
  const found: { at: string; text: string }[] = []
  const add = (text: string, start: number) => {
    if (text.includes(' '))
      found.push({ at: `${file}:${code.slice(0, start).split('\n').length}`, text })
  }
  new Visitor({
    Literal: ({ value, start }) => typeof value === 'string' && add(value, start),
    TemplateElement: ({ value, start }) => add(value.raw, start),
    JSXText: ({ value, start }) => add(value, start),
  }).visit(parseSync(file, code).program)
  return found
}

const isUnplain = (comment: string) =>
  unwanted.test(comment) || /\bnobody\b/i.test(comment) || unwantedOpening.test(comment)

test('comments are in plain English', () => {
  const found = ['src', 'scripts', 'bench']
    .flatMap((folder) => filesIn(folder, /\.tsx?$/))
    .flatMap((file) => commentsIn(file, readFileSync(root + file, 'utf8')))
    .filter(({ text }) => isUnplain(text))
  expect(found).toEqual([])
})

test('texts of the program and names of tests are in plain English', () => {
  const found = ['src', 'scripts', 'bench', 'test']
    .flatMap((folder) => filesIn(folder, /\.tsx?$/))
    .filter((file) => file !== 'test/tidy/plain-english.test.ts')
    .map((file) => ({ file, code: readFileSync(root + file, 'utf8') }))
    .filter(({ code }) => unwanted.test(code))
    .flatMap(({ file, code }) => textsIn(file, code))
    .filter(({ text }) => unwanted.test(text))
  expect(found).toEqual([])
})

test('a text in other English is found', () => {
  const code = "log.info('begun anew')\nconst label = `${count} deeds done`\nconst key = 'anew'\n"
  const found = textsIn('one.ts', code).filter(({ text }) => unwanted.test(text))
  expect(found.map(({ at }) => at)).toEqual(['one.ts:1', 'one.ts:2'])
})

test('a comment in other English is found', () => {
  const code =
    "/** What whoever asks is told. */\nconst deed = 'anew' // one deed\nexport { deed }\n"
  const found = commentsIn('one.ts', code).filter(({ text }) => isUnplain(text))
  expect(found.map(({ at }) => at)).toEqual(['one.ts:1', 'one.ts:2'])
})

test('pages are in plain English', () => {
  const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md']
  const found = [...pages, ...filesIn('docs', /\.md$/), ...filesIn('decisions', /\.md$/)].flatMap(
    (page) =>
      readFileSync(root + page, 'utf8')
        .split('\n')
        .flatMap((line, at) => (unwanted.test(line) ? [`${page}:${at + 1} ${line}`] : [])),
  )
  expect(found).toEqual([])
})
