/**
 * Limits on the size of an archive. Exports have no limits, so these are generous. They bound the work
 * that a stranger can cause with one file.
 */
export const bytesPerMb = 1_048_576

export type ArchiveLimits = {
  readonly archiveBytes: number
  readonly entries: number
  /** The total of all entries, uncompressed. */
  readonly contentBytes: number
  readonly manifestBytes: number
  /** Objects and lists in the manifest. Small ones need memory too. */
  readonly manifestParts: number
}

/** Limits for imports during a request. */
export const sessionLimits: ArchiveLimits = {
  archiveBytes: 512 * bytesPerMb,
  entries: 1200,
  contentBytes: 512 * bytesPerMb,
  manifestBytes: 16 * bytesPerMb,
  manifestParts: 5000,
}

/** Longer than any library import takes, including interruptions. */
export const libraryRetentionMs = 48 * 3600 * 1000

/** Limits for imports in the background. */
export const libraryLimits: ArchiveLimits = {
  archiveBytes: 4096 * bytesPerMb,
  entries: 20_000,
  contentBytes: 4096 * bytesPerMb,
  manifestBytes: 32 * bytesPerMb,
  manifestParts: 100_000,
}
