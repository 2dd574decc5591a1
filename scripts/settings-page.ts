/** Writes docs/settings.md from the settings in the code, so that the page is always current. */
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { settings } from '../src/server/config/settings.ts'

const page = new URL('../docs/settings.md', import.meta.url)

export function renderSettingsPage(): string {
  const rows = Object.values(settings).map(
    ({ name, fallback, meaning }) => `| ${name} | ${fallback} | ${meaning} |`,
  )
  return [
    '# Settings',
    '',
    'Read once at start from the environment; a `.env` file in the working folder is honoured, and the environment wins over it. Nothing is required for a development start. A wrong value ends the start with one line that names the variable. This page is made by `npm run docs`.',
    '',
    '| variable | default | meaning |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await mkdir(new URL('.', page), { recursive: true })
  await writeFile(page, renderSettingsPage())
}
