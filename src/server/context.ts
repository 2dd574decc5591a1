/**
 * The one object that is handed down: everything a feature may ask of the world outside it. What a
 * feature itself brings (a feed, a payment method) it adds where it declares that.
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

// An interface, since features add to it.
// oxlint-disable-next-line typescript/consistent-type-definitions
export interface Context {
  readonly config: Config
  readonly db: Database
  /** For `runStatement` alone. */
  readonly query: DatabaseHandle['query']
  /** For `readPublicly` alone; null where there is none. */
  readonly replica: Replica | null
  readonly queue: Queue
  readonly storage: Storage
  readonly fetch: SafeFetch
  readonly oidc: OidcProvider | null
  /** Null where the site sends none. For jobs alone: a request does not wait for a mail server. */
  readonly mail: Mailer | null
  readonly limits: LimitStore
  readonly notifications: Notifications
  /** Turns of this node, for what contends for one row. */
  readonly turns: Turns
  readonly metrics: Metrics
  readonly log: Log
  readonly now: () => Date
  readonly newId: () => string
  /** Aborted when the node begins to stop, for what would go on for ever. */
  readonly stopping: AbortSignal
}
