/**
 * What happens to a session while it is looked at: its fill, its import, its publication. The server
 * tells it as a stream of events, which no limit counts, so nothing is asked for again and again.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { keys } from '../../query-keys.ts'
import { type EventHandlers, followSession } from '../../session-events.ts'
import { importHandlers } from './import-events.ts'
import { isFilling, type Session } from './session-data.ts'

export type Progress = { readonly done: number; readonly total: number }

export type LiveSession = {
  /** Slides that have arrived, while the session fills. */
  readonly fill: Progress | null
  /** Slides whose media has been dealt with, while what was imported is copied. */
  readonly importing: Progress | null
  /** Slides that are copied, while the session is being published. */
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

/** Follows the session while `isFollowed`. Once it is whole, the pages ask for it anew. */
export function useLiveSession(session: Session, isFollowed: boolean): LiveSession {
  const sessionId = session.id
  const wasFilling = isFilling(session)
  const queryClient = useQueryClient()
  const [live, setLive] = useState(quiet)
  useEffect(() => {
    if (!isFollowed) return
    const askAnew = () => {
      void queryClient.invalidateQueries({ queryKey: keys.session.opened(sessionId) })
      void queryClient.invalidateQueries({ queryKey: keys.sessions.all })
      // A fill that came to nothing gives its credits back.
      void queryClient.invalidateQueries({ queryKey: keys.currentUser })
    }
    const handlers: EventHandlers = {
      // It may have ended between the page's question and this one; of an import only its slides tell.
      session: ({ fillStatus, isImported }: Data) => {
        if (isImported === true) askAnew()
        if (wasFilling && (fillStatus === 'ready' || fillStatus === 'failed')) askAnew()
      },
      fill: (data: Data) => setLive((live) => ({ ...live, fill: progressOf(data) })),
      done: () => {
        setLive((live) => ({ ...live, fill: null }))
        askAnew()
      },
      links_checked: askAnew,
      importing: (data: Data) => setLive((live) => ({ ...live, importing: progressOf(data) })),
      ...importHandlers({ sessionId, queryClient, onWhole: askAnew }),
      imported: () => {
        setLive((live) => ({ ...live, importing: null }))
        askAnew()
      },
      publishing: (data: Data) =>
        setLive((live) => ({ ...live, publishing: progressOf(data), publishFailure: null })),
      published: () => setLive((live) => ({ ...live, publishing: null })),
      publish_failed: ({ reason }: Data) =>
        setLive((live) => ({ ...live, publishing: null, publishFailure: String(reason) })),
    }
    const leaving = new AbortController()
    void followSession(sessionId, {
      signal: leaving.signal,
      tell: ({ type, data }) => handlers[type]?.(data),
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
