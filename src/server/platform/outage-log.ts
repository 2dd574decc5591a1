/** The log for outages of servers that we depend on. */

export type OutageLog = {
  warn(details: object, message: string): void
  info(details: object, message: string): void
}

export const quietLog: OutageLog = { warn: () => undefined, info: () => undefined }
