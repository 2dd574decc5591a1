/** Makes what new embedded databases begin with, unless it is there. */
import { existsSync } from 'node:fs'
import { makeTemplate, templatePlace } from '../src/server/database/embedded-template.ts'
import { announced } from './staged-build.ts'

export async function buildEmbeddedIfMissing(print: (text: string) => void): Promise<void> {
  const place = await templatePlace()
  if (existsSync(place)) return print('embedded database is up to date\n')
  await announced(print, 'making the embedded database', () => makeTemplate(place))
}
