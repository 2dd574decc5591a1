/** Checks that no regular expression takes more than linear time on any text that a stranger sends. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'vite'
import { expect, test } from 'vitest'
import { findSlowText } from '../support/regex-attacks.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Slow expressions that read only short texts or texts of our own. */
const bounded: Readonly<Record<string, string>> = {}

const found = ['src', 'demo'].flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => expressionsIn(`${folder}/${name}`)),
)

test('every regular expression is linear, or reads a text of a bounded length', async () => {
  const built: Expressions[] = []
  for (const file of found.filter(({ builds }) => builds > 0)) built.push(await builtIn(file))
  const patterns = new Map(
    [...found, ...built].flatMap(({ file, patterns }) =>
      patterns.map((pattern) => [String(pattern), { file, pattern }]),
    ),
  )
  expect(patterns.size).toBeGreaterThan(300)
  const slow = [...patterns.values()].flatMap(({ file, pattern }) => {
    const text = findSlowText(pattern)
    return text ? [[String(pattern), `${file}: ${JSON.stringify(text)}`] as const] : []
  })
  expect(Object.fromEntries(slow.filter(([pattern]) => !(pattern in bounded)))).toEqual({})
  expect(slow.map(([pattern]) => pattern)).toEqual(expect.arrayContaining(Object.keys(bounded)))
})

test.each([
  [/\s*;\s*q=/, '( )*'],
  [/^\/[^/]*-v\d-(?=[^/]+$)/, '/(--v0)*/'],
  [/^\/+|\/+$/g, '\u0000(/)*\u0000'],
  [/^(?:a+)+$/, '(a)*\u0000'],
  [/^(?:a|a)*b/, '(a)*'],
  [/^[^\r\n]*[^\s@]+@/, '(a)*'],
])('%s is slow, and %j shows it', (pattern, text) => {
  expect(findSlowText(pattern)?.text).toBe(text)
})

test.each([/\s+/g, /^\s*(?:;\s*)?q=/, /(?<!\/)\/+$/, /<[^<>]*>/g, /^[a-z]{1,50}@[a-z.]{1,253}$/])(
  '%s is linear',
  (pattern) => {
    expect(findSlowText(pattern)).toBeNull()
  },
)

type Expressions = {
  readonly file: string
  readonly patterns: readonly RegExp[]
  /** The number of expressions that are built from strings. */
  readonly builds: number
}

function expressionsIn(file: string): Expressions {
  const patterns: RegExp[] = []
  let builds = 0
  new Visitor({
    Literal: (node) => {
      if ('regex' in node && node.regex)
        patterns.push(new RegExp(node.regex.pattern, node.regex.flags))
    },
    NewExpression: ({ callee }) => {
      if (callee.type === 'Identifier' && callee.name === 'RegExp') builds += 1
    },
  }).visit(parseSync(file, readFileSync(`${root}${file}`, 'utf8')).program)
  return { file, patterns, builds }
}

/** Returns the expressions that a file builds while it is loaded, so that they can be checked too. */
async function builtIn({ file, builds }: Expressions): Promise<Expressions> {
  const patterns: RegExp[] = []
  const Original = globalThis.RegExp
  globalThis.RegExp = new Proxy(Original, {
    construct(target, [source, flags]: [string | RegExp, string | undefined]) {
      const pattern = new target(source, flags)
      patterns.push(pattern)
      return pattern
    },
  })
  try {
    await import(/* @vite-ignore */ `${root}${file}?built`)
  } finally {
    globalThis.RegExp = Original
  }
  expect(patterns.length, `${file} builds its patterns when it is loaded`).toBeGreaterThanOrEqual(
    builds,
  )
  return { file, patterns, builds }
}
