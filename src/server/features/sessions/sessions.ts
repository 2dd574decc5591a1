/** The functions that other features may use. */
export {
  findOwn,
  lockOwn,
  readReadable,
  requireOwn,
  requireReadable,
  requireReading,
} from './access.ts'
export { coverUrl } from './covers.ts'
export { emitEvent } from './events/events.ts'
export { isFillPaid } from './fill/fill-queries.ts'
export { slideOfMedia } from './fill/fill.ts'
export type { SkippedMedia } from './fill/imported-queries.ts'
export { attachOwnMedia, insertImported, skipSlide } from './fill/imported-sessions.ts'
export { findSkipped, takeSessionId } from './fill/imported-queries.ts'
export type { SessionPreview } from './link-views.ts'
export { openSessionJson, previewSession } from './link-views.ts'
export type { SessionView } from './queries.ts'
export {
  deleteSession,
  findJudgedSession,
  findSession,
  hasSessions,
  lockSession,
} from './queries.ts'
export { createFreeSession, prepareSession, publishByLink } from './session-endpoints.ts'
export { sessionJson, slideJson } from './session-json.ts'
export { abandonOwnFiles } from './slides/own-files.ts'
export type { SlideToCaption } from './slides/caption-queries.ts'
export { storeAiCaption, listSlidesToCaption, stillOf } from './slides/caption-queries.ts'
export type { ColumnsOf, NewSlide, SnapshotSlide, ValuesOf } from './slides/slide-columns.ts'
export {
  columnNames,
  publishedSlideColumns,
  rowsJson,
  selectList,
  responseColumns,
} from './slides/slide-columns.ts'
export { deleteSlide, findSlideTimes, insertSlides, recountSlides } from './slides/slide-queries.ts'
export { findSessionsShowing } from './slides/vault-slide-queries.ts'
export {
  forgetVaultSlides,
  lockShowingSessions,
  markVaultSlidesAdult,
  setSlidesTrashed,
} from './slides/vault-slides.ts'
export type { SessionSnapshot } from './snapshot-queries.ts'
export { findSnapshot, setShared } from './snapshot-queries.ts'
