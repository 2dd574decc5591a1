/**
 * Follows a session while its page is open: its fill, its import, its publication. The server sends events
 * over a stream, which does not count against the rate limit, so the page does not poll.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { keys } from '../../query-keys.ts'
import { type EventHandlers, followSession } from '../../session-events.ts'
import { refreshUser } from '../accounts/current-user.ts'
import { importHandlers } from './import-events.ts'
import { isFilling, type Session } from './session-data.ts'

export type Progress = { readonly done: number; readonly total: number }

export type LiveSession = {
  /** The progress of a fill, in slides. */
  readonly fill: Progress | null
  /** The progress of copying imported media, in slides; skipped ones count. */
  readonly importing: Progress | null
  /** The progress of publishing, in copied slides. */
  readonly publishing: Progress | null
  readonly publishFailure: string | null
}

type Data = Readonly<Record<string, unknown>>

const quiet: LiveSession = {
  fill: null,
  importing: null,
  publishing: null,
  publishFailure: null,
}

/** Follows the session while `isFollowed`. When it is complete, the pages reload it. */
export function useLiveSession(session: Session, isFollowed: boolean): LiveSession {
  const sessionId = session.id
  const wasFilling = isFilling(session)
  const queryClient = useQueryClient()
  const [live, setLive] = useState(quiet)
  useEffect(() => {
    if (!isFollowed) return
    const refetch = () => {
      void queryClient.invalidateQueries({ queryKey: keys.session.opened(sessionId) })
      void queryClient.invalidateQueries({ queryKey: keys.sessions.all })
      // A failed fill is refunded.
      void refreshUser(queryClient)
    }
    const handlers: EventHandlers = {
      // The work may have ended before the stream was connected. For an import only its slides tell.
      session: ({ fillStatus, isImported }: Data) => {
        if (isImported === true) refetch()
        if (wasFilling && (fillStatus === 'ready' || fillStatus === 'failed')) refetch()
      },
      fill: (data: Data) => setLive((live) => ({ ...live, fill: progressOf(data) })),
      done: () => {
        setLive((live) => ({ ...live, fill: null }))
        refetch()
      },
      links_checked: refetch,
      importing: (data: Data) => setLive((live) => ({ ...live, importing: progressOf(data) })),
      ...importHandlers({ sessionId, queryClient, onWhole: refetch }),
      imported: () => {
        setLive((live) => ({ ...live, importing: null }))
        refetch()
      },
      publishing: (data: Data) =>
        setLive((live) => ({ ...live, publishing: progressOf(data), publishFailure: null })),
      published: () => {
        setLive((live) => ({ ...live, publishing: null }))
        void queryClient.invalidateQueries({ queryKey: keys.community.all })
      },
      publish_failed: ({ reason }: Data) =>
        setLive((live) => ({ ...live, publishing: null, publishFailure: String(reason) })),
    }
    const leaving = new AbortController()
    void followSession(sessionId, {
      signal: leaving.signal,
      onEvent: ({ type, data }) => handlers[type]?.(data),
    })
    return () => {
      leaving.abort()
      setLive(quiet)
    }
  }, [sessionId, wasFilling, isFollowed, queryClient])
  return live
}

function progressOf({ done, total }: Data): Progress {
  return { done: Number(done), total: Number(total) }
}
