/** The project's semantic version and homepage, from package.json. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'

const packageFile = new URL('../../../package.json', import.meta.url)

export const { version, homepage } = z
  .object({ version: z.string(), homepage: z.url().nullable().default(null) })
  .parse(JSON.parse(readFileSync(packageFile, 'utf8')))
