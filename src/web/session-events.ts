/** The events of a session that a page follows: fill progress, captions, publishing. */
import { sessionEventsAddress } from './api.ts'
import { openEventStream, type StreamOptions } from './event-stream.ts'

export type SessionEvent = { readonly type: string; readonly data: unknown }

/** Handlers by type of event. The server is trusted: event data is not validated. */
export type EventHandlers = Readonly<Record<string, { handle(data: unknown): void }['handle']>>

/**
 * Passes on every event until the signal aborts. Resolves early if the caller has no access to the session.
 */
export function followSession(
  sessionId: number,
  {
    onEvent,
    ...options
  }: Omit<StreamOptions, 'address' | 'onEvent' | 'isFinal'> & {
    readonly onEvent: (event: SessionEvent) => void
  },
): Promise<void> {
  return openEventStream({
    ...options,
    address: sessionEventsAddress(sessionId),
    onEvent: ({ event, data }) => onEvent({ type: event, data: JSON.parse(data) }),
  }).ended
}
