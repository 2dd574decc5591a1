/**
 * What happens to a session while it is looked at: its fill, its import, its publication. The server
 * tells it as a stream of events, which no limit counts, so nothing is asked for again and again.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { sessionEventsAddress } from '../../api.ts'
import { hearImport } from './import-events.ts'
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
    const source = new EventSource(sessionEventsAddress(sessionId))
    const on = (type: string, hear: (data: Record<string, unknown>) => void) =>
      source.addEventListener(type, (event) => hear(dataOf(event)))
    const askAnew = () => {
      void queryClient.invalidateQueries({ queryKey: ['session', String(sessionId)] })
      void queryClient.invalidateQueries({ queryKey: ['sessions'] })
      // A fill that came to nothing gives its credits back.
      void queryClient.invalidateQueries({ queryKey: ['current-user'] })
    }
    // It may have ended between the page's question and this one; of an import only its slides tell.
    on('session', ({ fillStatus, isImported }) => {
      if (isImported === true) askAnew()
      if (wasFilling && (fillStatus === 'ready' || fillStatus === 'failed')) askAnew()
    })
    on('fill', (data) => setLive((live) => ({ ...live, fill: progressOf(data) })))
    on('done', () => {
      setLive((live) => ({ ...live, fill: null }))
      askAnew()
    })
    on('links_checked', askAnew)
    on('importing', (data) => setLive((live) => ({ ...live, importing: progressOf(data) })))
    hearImport(source, { sessionId, queryClient, onWhole: askAnew })
    on('imported', () => {
      setLive((live) => ({ ...live, importing: null }))
      askAnew()
    })
    on('publishing', (data) =>
      setLive((live) => ({ ...live, publishing: progressOf(data), publishFailure: null })),
    )
    on('published', () => setLive((live) => ({ ...live, publishing: null })))
    on('publish_failed', ({ reason }) =>
      setLive((live) => ({ ...live, publishing: null, publishFailure: String(reason) })),
    )
    return () => {
      source.close()
      setLive(quiet)
    }
  }, [sessionId, wasFilling, isFollowed, queryClient])
  return live
}

function dataOf(event: MessageEvent): Record<string, unknown> {
  const data: unknown = JSON.parse(String(event.data))
  return typeof data === 'object' && data !== null ? { ...data } : {}
}

function progressOf({ done, total }: Record<string, unknown>): Progress {
  return { done: Number(done), total: Number(total) }
}
