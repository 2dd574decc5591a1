/** `npm run build`, and the first half of `npm start`: all of dist/, as far as it is stale. */
import { buildEmbeddedIfStale } from './build-embedded.ts'
import { buildServerIfStale } from './build-server.ts'
import { buildWebIfStale } from './build-web.ts'

try {
  await buildWebIfStale()
  await buildServerIfStale()
  await buildEmbeddedIfStale()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
