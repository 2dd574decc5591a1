/** Makes what new embedded databases begin with, unless it is there. */
import { existsSync } from 'node:fs'
import { makeTemplate, templatePlace } from '../src/server/database/embedded-template.ts'

export async function buildEmbeddedIfMissing(print: (text: string) => void): Promise<void> {
  const place = await templatePlace()
  if (existsSync(place)) return print('embedded database is up to date\n')
  print('making the embedded database … ')
  const startMs = performance.now()
  await makeTemplate(place)
  print(`done in ${((performance.now() - startMs) / 1000).toFixed(1)} s\n`)
}
