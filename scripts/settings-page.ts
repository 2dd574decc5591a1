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
    'The service reads its settings from the environment once, when it starts. It also reads a `.env` file in the working folder; the environment overrides the file. A development start needs no settings. If a value is wrong, the start fails with one line that names the variable. `npm run docs` generates this page.',
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
