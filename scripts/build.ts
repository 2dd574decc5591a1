/** `npm run build`, and the first half of `npm start`: all of dist/, as far as it is stale. */
import { buildEmbeddedIfMissing } from './build-embedded.ts'
import { buildServerIfStale } from './build-server.ts'
import { buildWebIfStale } from './build-web.ts'

try {
  await buildWebIfStale()
  await buildServerIfStale()
  await buildEmbeddedIfMissing((text) => process.stdout.write(text))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
