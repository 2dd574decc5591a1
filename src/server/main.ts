/** `npm start`: prepares the process before it loads the service. */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { reExec } from './platform/re-exec.ts'

// Reading our own files is a quarter of a start, so their compiled code is cached. Anyone who can write to
// this folder can change those files too. If the folder cannot be written, there is no cache.
const compiledFolder = fileURLToPath(new URL('../../.cache/compiled/', import.meta.url))
reExec({ compiledFolder })
enableCompileCache(compiledFolder)
await import('./commands/run-service.ts')
