/** What is written when a server that we depend on goes away, and when it is back. */

export type OutageLog = {
  warn(details: object, message: string): void
  info(details: object, message: string): void
}

export const quietLog: OutageLog = { warn: () => undefined, info: () => undefined }
