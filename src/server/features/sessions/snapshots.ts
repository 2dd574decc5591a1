/** The front door for publishing: a session as it is at one moment, and the mark that it is shared. */
import type { SessionView } from './queries.ts'
import type { SnapshotSlide } from './snapshot-queries.ts'

export type { SessionView } from './queries.ts'
export { lockSession } from './queries.ts'
export type { SnapshotSlide } from './snapshot-queries.ts'
export { findSnapshot, setShared } from './snapshot-queries.ts'

/** All that a copy of the session needs, with what its readers do not see. */
export type SessionSnapshot = {
  readonly session: SessionView
  /** Whether the owner chose the thumbnail. */
  readonly thumbnailGiven: boolean
  readonly ownerIsAgeVerified: boolean
  readonly slides: readonly SnapshotSlide[]
}
