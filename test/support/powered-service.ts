/** The service on a disk that loses unsynced data. */
await import('./forgetful-disk.ts')
await import('../../src/server/main.ts')
