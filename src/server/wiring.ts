/** What the features bring to a node: their routes and their jobs. */
import { sweepSignIns } from './features/accounts/jobs.ts'
import { accountRoutes } from './features/accounts/routes.ts'
import { classificationRoutes } from './features/classification/routes.ts'
import { allocateCredits, sweepIdempotencyKeys } from './features/credits/jobs.ts'
import { creditRoutes } from './features/credits/routes.ts'
import { feedRoutes } from './features/feeds/routes.ts'
import { operationRoutes } from './features/operations/routes.ts'
import { failStuck, fillSession, sweepOldEvents } from './features/sessions/jobs.ts'
import { sessionRoutes } from './features/sessions/routes.ts'
import { sharingRoutes } from './features/sharing/routes.ts'
import type { Route } from './http/route.ts'
import type { Job } from './jobs/job.ts'

export const routes: readonly Route[] = [
  ...accountRoutes,
  ...classificationRoutes,
  ...creditRoutes,
  ...feedRoutes,
  ...operationRoutes,
  ...sessionRoutes,
  ...sharingRoutes,
]

export const jobs: readonly Job[] = [
  sweepSignIns,
  allocateCredits,
  sweepIdempotencyKeys,
  fillSession,
  failStuck,
  sweepOldEvents,
]
