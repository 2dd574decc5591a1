/**
 * How much an archive may hold. Exports are not limited, so these are generous; what they bound is the
 * work that a stranger can cause with one file.
 */
export const bytesPerMb = 1_048_576

export type ArchiveLimits = {
  readonly archiveBytes: number
  readonly entries: number
  /** Of all entries, unpacked. */
  readonly contentBytes: number
  readonly manifestBytes: number
  /** Objects and lists in the manifest; each can be small and still costs memory. */
  readonly manifestParts: number
}

/** Imported while its sender waits. */
export const sessionLimits: ArchiveLimits = {
  archiveBytes: 512 * bytesPerMb,
  entries: 1200,
  contentBytes: 512 * bytesPerMb,
  manifestBytes: 16 * bytesPerMb,
  manifestParts: 5000,
}

/** Longer than the import of any library takes, however often it is interrupted. */
export const libraryRetentionMs = 48 * 3600 * 1000

/** Imported in the background. */
export const libraryLimits: ArchiveLimits = {
  archiveBytes: 4096 * bytesPerMb,
  entries: 20_000,
  contentBytes: 4096 * bytesPerMb,
  manifestBytes: 32 * bytesPerMb,
  manifestParts: 100_000,
}
