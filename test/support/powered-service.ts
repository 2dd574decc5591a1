/** The service on a disk that forgets what was not synced. */
await import('./forgetful-disk.ts')
await import('../../src/server/main.ts')
