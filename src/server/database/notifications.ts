/**
 * Notifications by PostgreSQL's NOTIFY. A notification is part of the transaction that sends it and
 * reaches every node after the commit. It says where to look and carries no data, so a lost one only
 * delays the next look.
 */
import type { PGlite } from '@electric-sql/pglite'
import type { Log } from '../platform/log.ts'

/** The one channel; a payload is a topic and a key, as in 'session_event:12'. */
export const notificationChannel = 'lanternist'

export type Notifications = {
  /** Returns a function that ends the subscription. */
  subscribe(subscriber: Subscriber): () => void
  close(): Promise<void>
}

export type Subscriber = {
  /** Handlers by topic, called with the key. */
  readonly topics: Readonly<Record<string, (key: string) => void>>
  /** Called when notifications may have been missed: each time that listening begins. */
  readonly onGap: () => void
}

export type Dispatcher = {
  readonly subscribe: Notifications['subscribe']
  readonly dispatch: (payload: string) => void
  readonly reportGap: () => void
}

export function createDispatcher(log: Log): Dispatcher {
  const subscribers = new Set<Subscriber>()
  const notifyAll = (notify: (subscriber: Subscriber) => void) => {
    for (const subscriber of subscribers) {
      try {
        notify(subscriber)
      } catch (error) {
        log.error({ event: 'notification_failed', err: error }, 'failed to handle a notification')
      }
    }
  }
  return {
    subscribe(subscriber) {
      subscribers.add(subscriber)
      return () => void subscribers.delete(subscriber)
    },
    dispatch(payload) {
      const colon = payload.indexOf(':')
      const topic = payload.slice(0, colon)
      notifyAll(({ topics }) => topics[topic]?.(payload.slice(colon + 1)))
    },
    reportGap: () => notifyAll(({ onGap }) => onGap()),
  }
}

/** The embedded database runs in this process, so no notification can get lost. */
export async function openEmbeddedNotifications(pglite: PGlite, log: Log): Promise<Notifications> {
  const { subscribe, dispatch } = createDispatcher(log)
  const stop = await pglite.listen(notificationChannel, dispatch)
  return { subscribe, close: () => stop() }
}
