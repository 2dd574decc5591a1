/** `npm start`. What the service consists of is loaded only once the process is as it should be. */
import { beginWithFewArenas } from './media/few-arenas.ts'

beginWithFewArenas()
await import('./commands/run-service.ts')
