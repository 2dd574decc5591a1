/** The whole API: every endpoint by feature, and every failure by name. */
import { accountProblems, accounts } from './accounts.ts'
import { adminJobs } from './admin-jobs.ts'
import { adminSources } from './admin-sources.ts'
import { admin, adminProblems } from './admin.ts'
import { archiveProblems, archives } from './archives.ts'
import { captionProblems, captions } from './captions.ts'
import { classification } from './classification.ts'
import { community, communityProblems } from './community.ts'
import { connectionProblems, connections } from './connections.ts'
import { creditProblems, credits } from './credits.ts'
import type { Endpoint } from './endpoint.ts'
import { enhancement, enhancementProblems } from './enhancement.ts'
import { feedProblems, feeds } from './feeds.ts'
import { frameProblems, frames } from './frames.ts'
import { images, pictureProblems } from './images.ts'
import { importProblems, imports } from './imports.ts'
import { keyProblems, keys } from './keys.ts'
import { moderation } from './moderation.ts'
import { operationProblems, operations } from './operations.ts'
import { passkeyProblems, passkeys } from './passkeys.ts'
import { paymentProblems, payments } from './payments.ts'
import { paidProblems, problems } from './problems.ts'
import { roomProblems, rooms } from './rooms.ts'
import { security } from './security.ts'
import { secondFactorProblems } from './second-factor-problems.ts'
import { secondFactor } from './second-factor.ts'
import { securityProblems } from './security-problems.ts'
import { sessionProblems, sharingProblems } from './session-records.ts'
import { sessions } from './sessions.ts'
import { sharing } from './sharing.ts'
import { site } from './site.ts'
import { storage } from './storage.ts'
import { trash } from './trash.ts'
import { vault, vaultProblems } from './vault.ts'

export const api = {
  accounts,
  admin,
  adminJobs,
  adminSources,
  archives,
  captions,
  classification,
  community,
  connections,
  credits,
  enhancement,
  feeds,
  frames,
  images,
  imports,
  keys,
  moderation,
  operations,
  passkeys,
  payments,
  rooms,
  security,
  secondFactor,
  sessions,
  sharing,
  site,
  storage,
  trash,
  vault,
}

export const failures = {
  ...problems,
  ...paidProblems,
  ...accountProblems,
  ...adminProblems,
  ...archiveProblems,
  ...captionProblems,
  ...communityProblems,
  ...connectionProblems,
  ...creditProblems,
  ...enhancementProblems,
  ...feedProblems,
  ...frameProblems,
  ...importProblems,
  ...keyProblems,
  ...operationProblems,
  ...passkeyProblems,
  ...paymentProblems,
  ...pictureProblems,
  ...roomProblems,
  ...secondFactorProblems,
  ...securityProblems,
  ...sessionProblems,
  ...sharingProblems,
  ...vaultProblems,
}

/** Every endpoint with its name, such as 'accounts.signIn'. */
export const endpoints: readonly { readonly name: string; readonly endpoint: Endpoint }[] =
  Object.entries(api).flatMap(([feature, group]) =>
    Object.entries<Endpoint>(group).map(([name, endpoint]) => ({
      name: `${feature}.${name}`,
      endpoint,
    })),
  )
