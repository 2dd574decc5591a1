/** Writes docs/operating/log-events.md from the log calls in the code, so that the page is always current. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(import.meta.dirname, '..')
const page = resolve(root, 'docs/operating/log-events.md')

type Logged = { event: string; levels: Set<string>; words: Set<string>; files: Set<string> }

/** A log call: its level, its event, and its message if that is a literal. */
const call =
  /\.(trace|debug|info|warn|error)\(\s*\{\s*event: '(\w+)'[^{}]*(?:\{[^{}]*\}[^{}]*)*\},\s*(?:'([^']*)'|`([^`]*)`)?/g

export function renderLogEvents(): string {
  const events = new Map<string, Logged>()
  for (const file of globSync('src/server/**/*.ts', { cwd: root }).toSorted()) {
    const text = readFileSync(resolve(root, file), 'utf8')
    for (const [, level = '', event = '', plain, pattern] of text.matchAll(call)) {
      const logged = events.get(event) ?? {
        event,
        levels: new Set(),
        words: new Set(),
        files: new Set(),
      }
      logged.levels.add(level)
      logged.files.add(file.replace('src/server/', ''))
      const words = plain ?? pattern
      if (words) logged.words.add(words.replaceAll(/\$\{[^}]*\}/g, '…').replaceAll('|', '/'))
      events.set(event, logged)
    }
  }
  const rows = [...events.values()]
    .toSorted((one, other) => one.event.localeCompare(other.event, 'en'))
    .map(
      ({ event, levels, words, files }) =>
        `| \`${event}\` | ${[...levels].join(', ')} | ${[...words].join('; ')} | ${[...files].join(', ')} |`,
    )
  return [
    '# Log events',
    '',
    'The service writes one JSON object a line to its standard output. `event` is stable: search for it and build alerts on it. The message may change. The event `request` is logged for every response, without addresses and names. `npm run docs` generates this page.',
    '',
    '| event | level | message | where in src/server |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

/** Returns the events in the code. Each must be on the page. */
export function eventsInCode(): Set<string> {
  const texts = globSync('src/server/**/*.ts', { cwd: root }).map((file) =>
    readFileSync(resolve(root, file), 'utf8'),
  )
  return new Set(
    texts.flatMap((text) => [...text.matchAll(/\bevent: '(\w+)'/g)].map(([, e]) => e ?? '')),
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(page, renderLogEvents())
