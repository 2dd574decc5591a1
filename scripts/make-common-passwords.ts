/**
 * Writes the list of common passwords (decision 33) from the npm package @zxcvbn-ts/language-common: `node
 * scripts/make-common-passwords.ts <its passwords.json>`. It stores hashes, because many of the passwords
 * are offensive.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { hashOfCommon } from '../src/server/features/accounts/security/weak-passwords.ts'

/** Shorter passwords are never accepted (src/contract/values.ts). */
const shortest = 10

const folder = new URL(
  '../src/server/features/accounts/security/common-passwords/',
  import.meta.url,
)
const [source = ''] = process.argv.slice(2)
const passwords = z.array(z.string()).parse(JSON.parse(await readFile(source, 'utf8')))
const long = passwords.filter((password) => password.length >= shortest)
const hashes = [...new Set(long.map((password) => hashOfCommon(password.toLowerCase())))]
await writeFile(new URL('hashes.txt', folder), `${hashes.toSorted().join('\n')}\n`)
