/** Runs `npm run build`, and the first half of `npm start`: builds the stale parts of dist/. */
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
