/** `npm start`. What the service consists of is loaded only once the process is as it should be. */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { beginWithFewArenas } from './media/few-arenas.ts'

beginWithFewArenas()
// Without it a third of each start is spent on compiling the same code. It lies beside that code: who
// can write here can change the code itself. Where nobody can, the service starts as slowly as before.
enableCompileCache(join(import.meta.dirname, '../../.cache/compiled'))
await import('./commands/run-service.ts')
