/** The parts that features contribute to a node: routes, mounts, jobs, and the caller functions. */
import type { Context } from './context.ts'
import { accountExportRoutes } from './features/account-export/export.ts'
import { findKeyHolder } from './features/accounts/keys/key-use.ts'
import { accountRoutes } from './features/accounts/routes.ts'
import {
  mailConfirmLink,
  mailNotice,
  mailResetLink,
} from './features/accounts/security/account-mails.ts'
import { findSignedInUser, sweepSignIns } from './features/accounts/sign-ins.ts'
import { activityRoutes } from './features/activity/activity-list.ts'
import { sweepActivity } from './features/activity/jobs.ts'
import { adminRoutes } from './features/admin/routes.ts'
import { endSilentImports, restoreLibraryJob } from './features/archives/jobs.ts'
import { archiveRoutes } from './features/archives/routes.ts'
import { captionSlides, prewarmSlides, sweepCaptionWork } from './features/captions/jobs.ts'
import { captionRoutes } from './features/captions/routes.ts'
import { classificationRoutes } from './features/classification/routes.ts'
import { copyPublication, failStuckPublications } from './features/community/jobs.ts'
import { communityRoutes } from './features/community/routes.ts'
import { answerOnce } from './features/credits/idempotency/paid-call.ts'
import {
  allocateCredits,
  endBoughtTiers,
  sweepCreditHolds,
  sweepIdempotencyKeys,
} from './features/credits/jobs.ts'
import { creditRoutes } from './features/credits/routes.ts'
import { removeLeftoverFiles } from './features/deletion/leftover-files.ts'
import { deletionRoutes } from './features/deletion/routes.ts'
import { failStuckEnhancements, sweepFailedEnhancements } from './features/enhancement/endings.ts'
import { enhancementRoutes } from './features/enhancement/routes.ts'
import { mountConnectedMedia } from './features/feeds/connections/connected-media.ts'
import { feedRoutes } from './features/feeds/gathering.ts'
import { mountFiles } from './features/files/file-routes.ts'
import { sweepFiles } from './features/files/unclaimed-files.ts'
import { sweepFolderMedia } from './features/folders/folder-sweep.ts'
import { frameRoutes } from './features/frames/routes.ts'
import { copyImported, resumeImports } from './features/imports/jobs.ts'
import { checkLinks } from './features/link-health/link-checks.ts'
import { moderationRoutes } from './features/moderation/routes.ts'
import { operationRoutes } from './features/operations/operations.ts'
import { giveOpening } from './features/openings/openings.ts'
import { mountPages } from './features/pages/pages.ts'
import { expirePayments, watchChain } from './features/payments/jobs.ts'
import { paymentRoutes } from './features/payments/routes.ts'
import { refundStars } from './features/payments/telegram-webhook.ts'
import { pictureToolRoutes } from './features/picture-tools/routes.ts'
import { measureStoredFiles, storageRoutes } from './features/quota/storage-use.ts'
import { makeRenditionJob, sweepRenditions } from './features/renditions/rendition-jobs.ts'
import { sweepRooms } from './features/rooms/jobs.ts'
import { roomRoutes } from './features/rooms/routes.ts'
import { mountCovers } from './features/sessions/covers.ts'
import { refreshSessions } from './features/sessions/fill/refresh.ts'
import { failStuck, fillSession, sweepOldEvents } from './features/sessions/jobs.ts'
import { sweepStoppedLinks } from './features/share-links/jobs.ts'
import { sessionRoutes } from './features/sessions/routes.ts'
import { settingRoutes } from './features/settings/settings.ts'
import { mountCards } from './features/sharing/link-card.ts'
import { sharingRoutes } from './features/sharing/routes.ts'
import { siteRoutes } from './features/site/site.ts'
import { purgeTrash } from './features/trash/ending.ts'
import { trashRoutes } from './features/trash/trash-endpoints.ts'
import { enrichMedia, releaseEnrichments } from './features/vault/enrich/enrichment-jobs.ts'
import { vaultRoutes } from './features/vault/routes.ts'
import type { Mount } from './http/app.ts'
import type { Callers } from './http/caller.ts'
import type { Route } from './http/route.ts'
import type { Job } from './jobs/job.ts'
// Imports that extend the types of the database and the context.
import './load-demo.ts'
import './features/accounts/tables.ts'
import './features/activity/tables.ts'
import './features/archives/tables.ts'
import './features/captions/tables.ts'
import './features/classification/tables.ts'
import './features/community/tables.ts'
import './features/credits/tables.ts'
import './features/enhancement/tables.ts'
import './features/feeds/tables.ts'
import './features/files/tables.ts'
import './features/frames/tables.ts'
import './features/imports/tables.ts'
import './features/moderation/tables.ts'
import './features/payments/tables.ts'
import './features/picture-tools/tables.ts'
import './features/quota/tables.ts'
import './features/renditions/tables.ts'
import './features/rooms/tables.ts'
import './features/sessions/tables.ts'
import './features/settings/tables.ts'
import './features/share-links/tables.ts'
import './features/sharing/tables.ts'
import './features/vault/tables.ts'
import './features/visibility/tables.ts'
import './leases/tables.ts'

export const routes: readonly Route[] = [
  ...accountExportRoutes,
  ...accountRoutes,
  ...activityRoutes,
  ...adminRoutes,
  ...archiveRoutes,
  ...captionRoutes,
  ...classificationRoutes,
  ...communityRoutes,
  ...creditRoutes,
  ...deletionRoutes,
  ...enhancementRoutes,
  ...feedRoutes,
  ...frameRoutes,
  ...pictureToolRoutes,
  ...moderationRoutes,
  ...operationRoutes,
  ...paymentRoutes,
  ...roomRoutes,
  ...sessionRoutes,
  ...settingRoutes,
  ...sharingRoutes,
  ...siteRoutes,
  ...storageRoutes,
  ...trashRoutes,
  ...vaultRoutes,
]

export const callers: Callers = { findSignedInUser, findKeyHolder, answerOnce }

export function mountsOf({ demo }: Context, webFolder: string | null): readonly Mount[] {
  return [
    mountFiles,
    mountConnectedMedia,
    mountCovers,
    mountCards,
    (app) => demo?.mount(app),
    (app, ctx) => mountPages(app, ctx, webFolder),
  ]
}

export const jobs: readonly Job[] = [
  removeLeftoverFiles,
  restoreLibraryJob,
  endSilentImports,
  sweepSignIns,
  sweepActivity,
  mailNotice,
  mailResetLink,
  mailConfirmLink,
  captionSlides,
  prewarmSlides,
  sweepCaptionWork,
  sweepCreditHolds,
  allocateCredits,
  endBoughtTiers,
  expirePayments,
  refundStars,
  watchChain,
  sweepIdempotencyKeys,
  sweepFiles,
  sweepFolderMedia,
  measureStoredFiles,
  purgeTrash,
  failStuckEnhancements,
  sweepFailedEnhancements,
  fillSession,
  failStuck,
  refreshSessions,
  sweepOldEvents,
  checkLinks,
  copyImported,
  resumeImports,
  copyPublication,
  failStuckPublications,
  giveOpening,
  enrichMedia,
  releaseEnrichments,
  makeRenditionJob,
  sweepRenditions,
  sweepRooms,
  sweepStoppedLinks,
]
