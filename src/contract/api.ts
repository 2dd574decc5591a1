/** The whole interface: every endpoint by feature, and every failure by name. */
import { accountProblems, accounts } from './accounts.ts'
import { classification } from './classification.ts'
import { credits } from './credits.ts'
import type { Endpoint } from './endpoint.ts'
import { feedProblems, feeds } from './feeds.ts'
import { operationProblems, operations } from './operations.ts'
import { paidProblems, problems } from './problems.ts'
import { sessionProblems, sharingProblems } from './session-records.ts'
import { sessions } from './sessions.ts'
import { sharing } from './sharing.ts'

export const api = { accounts, classification, credits, feeds, operations, sessions, sharing }

export const failures = {
  ...problems,
  ...paidProblems,
  ...accountProblems,
  ...feedProblems,
  ...operationProblems,
  ...sessionProblems,
  ...sharingProblems,
}

/** Every endpoint with its name, 'accounts.signIn'. */
export const endpoints: readonly { readonly name: string; readonly endpoint: Endpoint }[] =
  Object.entries(api).flatMap(([feature, group]) =>
    Object.entries<Endpoint>(group).map(([name, endpoint]) => ({
      name: `${feature}.${name}`,
      endpoint,
    })),
  )
