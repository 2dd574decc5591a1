/** Checks that every class name of the web client has a style: a misspelt one changes the layout silently. */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { __unstable__loadDesignSystem } from 'tailwindcss'
import { expect, test } from 'vitest'

const web = fileURLToPath(new URL('../../src/web/', import.meta.url))
const files = readdirSync(web, { recursive: true, encoding: 'utf8' })
const styles = files
  .filter((name) => name.endsWith('.css'))
  .map((name) => readFileSync(web + name, 'utf8'))
  .join('\n')
const ownClasses = new Set([...styles.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name))

/** Names without a style of their own: other classes and scripts refer to them. */
const markers = /^(group|peer)(\/\w+)?$/

const tailwind = await __unstable__loadDesignSystem(readFileSync(`${web}theme.css`, 'utf8'), {
  base: web,
  loadStylesheet: async (id, base) => {
    const path =
      id === 'tailwindcss'
        ? createRequire(import.meta.url).resolve('tailwindcss/index.css')
        : resolve(base, id)
    return { path, base: dirname(path), content: readFileSync(path, 'utf8') }
  },
})

const isUtility = (name: string) => tailwind.candidatesToCss([name])[0] !== null
const isKnown = (name: string) => ownClasses.has(name) || markers.test(name) || isUtility(name)

/** Returns the unknown names in texts that are lists of classes: more than half of their names are known. */
function unknownIn(code: string): string[] {
  const texts = [...code.matchAll(/"([^"\n]+)"|'([^'\n]+)'|(?<=[`}])([^`${}\n]+)(?=[`$])/g)]
  return texts.flatMap(([, double, single, template]) => {
    const names = (double ?? single ?? template ?? '')
      .split(/\s+/)
      .filter((name) => /^[^<"]+$/.test(name))
    const unknown = names.filter((name) => !isKnown(name))
    return unknown.length < names.length / 2 ? unknown : []
  })
}

test('the search finds a misspelt name, and leaves other texts alone', () => {
  expect(unknownIn(`'grid index-items-center rounded-control'`)).toEqual(['index-items-center'])
  const template = '`absolute grid rowIndex-items-center ${look} size-6 gird rounded-control`'
  expect(unknownIn(template)).toEqual(['rowIndex-items-center', 'gird'])
  expect(
    unknownIn(`className="grid place-items-center" label="hidden from everyone else"`),
  ).toEqual([])
})

test('every class name has a style', () => {
  const code = [
    ...files.filter((name) => /\.tsx?$/.test(name)).map((name) => web + name),
    fileURLToPath(new URL('../../src/server/features/pages/first-frame.ts', import.meta.url)),
  ]
  const found = code.flatMap((file) =>
    unknownIn(readFileSync(file, 'utf8')).map((name) => `${file}: ${name}`),
  )
  expect(found).toEqual([])
})
