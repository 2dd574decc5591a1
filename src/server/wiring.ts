/** What the features bring to a node: their routes and their jobs. */
import { removeLeftFiles } from './features/deletion/jobs.ts'
import { accountDataRoutes } from './features/deletion/routes.ts'
import { sweepSignIns } from './features/accounts/jobs.ts'
import { accountRoutes } from './features/accounts/routes.ts'
import { adminRoutes } from './features/admin/routes.ts'
import { endSilentImports, restoreLibraryJob } from './features/archives/jobs.ts'
import { archiveRoutes } from './features/archives/routes.ts'
import { captionSlides, prewarmSlides, sweepCaptionWork } from './features/captions/jobs.ts'
import { captionRoutes } from './features/captions/routes.ts'
import { classificationRoutes } from './features/classification/routes.ts'
import { copyPublication, failStuckPublications } from './features/community/jobs.ts'
import { communityRoutes } from './features/community/routes.ts'
import {
  allocateCredits,
  endBoughtTiers,
  sweepCreditHolds,
  sweepIdempotencyKeys,
} from './features/credits/jobs.ts'
import { creditRoutes } from './features/credits/routes.ts'
import { failStuckEnhancements, sweepFailedEnhancements } from './features/enhancement/jobs.ts'
import { enhancementRoutes } from './features/enhancement/routes.ts'
import { sweepFiles } from './features/files/jobs.ts'
import { feedRoutes } from './features/feeds/routes.ts'
import { imageRoutes } from './features/picture-tools/routes.ts'
import { copyImported, resumeImports } from './features/imports/jobs.ts'
import { importRoutes } from './features/imports/routes.ts'
import { moderationRoutes } from './features/moderation/routes.ts'
import { operationRoutes } from './features/operations/routes.ts'
import { expirePayments, refundStars, watchChain } from './features/payments/jobs.ts'
import { paymentRoutes } from './features/payments/routes.ts'
import { checkLinks, failStuck, fillSession, sweepOldEvents } from './features/sessions/jobs.ts'
import { sessionRoutes } from './features/sessions/routes.ts'
import { sharingRoutes } from './features/sharing/routes.ts'
import { enrichMedia, releaseEnrichments } from './features/vault/enrich/enrichment-jobs.ts'
import { vaultRoutes } from './features/vault/routes.ts'
import type { Route } from './http/route.ts'
import type { Job } from './jobs/job.ts'

export const routes: readonly Route[] = [
  ...accountDataRoutes,
  ...accountRoutes,
  ...adminRoutes,
  ...archiveRoutes,
  ...captionRoutes,
  ...classificationRoutes,
  ...communityRoutes,
  ...creditRoutes,
  ...enhancementRoutes,
  ...feedRoutes,
  ...imageRoutes,
  ...importRoutes,
  ...moderationRoutes,
  ...operationRoutes,
  ...paymentRoutes,
  ...sessionRoutes,
  ...sharingRoutes,
  ...vaultRoutes,
]

export const jobs: readonly Job[] = [
  removeLeftFiles,
  restoreLibraryJob,
  endSilentImports,
  sweepSignIns,
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
  failStuckEnhancements,
  sweepFailedEnhancements,
  fillSession,
  failStuck,
  sweepOldEvents,
  checkLinks,
  copyImported,
  resumeImports,
  copyPublication,
  failStuckPublications,
  enrichMedia,
  releaseEnrichments,
]
