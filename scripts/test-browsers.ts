/**
 * Runs the journeys in Firefox and WebKit, which are installed by the system and not by npm. Arguments are
 * passed to vitest: `npm run test:browsers -- -t firefox`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describeMissing } from '../test/browsers/installed.ts'

const missing = describeMissing()
if (missing !== null) {
  process.stderr.write(`${missing}\n`)
  process.exit(1)
}
const vitest = spawn('vitest', ['run', '--project', 'browsers', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, OTHER_BROWSERS: '1' },
})
const [code] = (await once(vitest, 'exit')) as [number | null]
process.exitCode = code ?? 1
