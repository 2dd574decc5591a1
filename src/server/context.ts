/**
 * The context: the object that gives features access to everything outside them. A feature adds its own
 * parts (a feed, a payment method) where it declares them.
 */
import type { Config } from './config/config.ts'
import type { Database, DatabaseHandle } from './database/database.ts'
import type { Notifications } from './database/notifications.ts'
import type { Replica } from './database/replica.ts'
import type { Queue } from './jobs/queue.ts'
import type { Turns } from './platform/concurrency/turns.ts'
import type { SafeFetch } from './platform/fetch/safe-fetch.ts'
import type { LimitStore } from './platform/limits/limit-store.ts'
import type { Log } from './platform/log.ts'
import type { Mailer } from './platform/mail/mailer.ts'
import type { Metrics } from './platform/metrics.ts'
import type { OidcProvider } from './platform/oidc-provider.ts'
import type { Storage } from './platform/storage/storage.ts'

// oxlint-disable-next-line typescript/consistent-type-definitions -- features extend this interface
export interface Context {
  readonly config: Config
  readonly db: Database
  /** Used only by `runStatement`. */
  readonly query: DatabaseHandle['query']
  /** Used only by `readPublicly`. Null if there is no replica. */
  readonly replica: Replica | null
  readonly queue: Queue
  readonly storage: Storage
  readonly fetch: SafeFetch
  readonly oidc: OidcProvider | null
  /** Null if the site sends no mail. Used only by jobs: a request does not wait for a mail server. */
  readonly mail: Mailer | null
  readonly limits: LimitStore
  readonly notifications: Notifications
  /** Locks of this node for work that contends for one row. */
  readonly turns: Turns
  readonly metrics: Metrics
  readonly log: Log
  readonly now: () => Date
  readonly newId: () => string
  /** Aborted when the node begins to stop, to end work that would never end by itself. */
  readonly stopping: AbortSignal
}
