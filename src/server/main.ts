/** `npm start`. What the service consists of is loaded only once the process is as it should be. */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { reExec } from './platform/re-exec.ts'

// A quarter of a start is reading our own files. Who can write here can change those files too; where
// nothing may be written, it stays so.
const compiledFolder = fileURLToPath(new URL('../../.cache/compiled/', import.meta.url))
reExec({ compiledFolder })
enableCompileCache(compiledFolder)
await import('./commands/run-service.ts')
