/**
 * Writes captions for many slides. From pictures it is a background job that reports through the session's
 * events. Rewriting existing text sends a few requests at a time.
 */
import { type Dispatch, useEffect, useRef, useState } from 'react'
import { client } from '../../api.ts'
import { usePaidCall } from '../../paid-call.ts'
import { type EventHandlers, followSession, type SessionEvent } from '../../session-events.ts'
import { showToast } from '../../ui/toasts.tsx'
import { useRefreshUser } from '../accounts/current-user.ts'
import { explainUnpaid } from './caption-help.ts'
import type { Edit } from './editing.ts'
import type { EditedSlide, Kept } from './slides.ts'
import { words } from './words.ts'

export type RunProgress = { readonly done: number; readonly total: number; readonly failed: number }

export type CaptionRun = {
  readonly progress: RunProgress | null
  readonly failure: string | null
  readonly fromPictures: (slides: readonly EditedSlide[], kept: Kept, steering: string) => void
  readonly fromWords: (slides: readonly EditedSlide[], instruction: string) => void
}

const rewrittenAtOnce = 6

export function useCaptionRun(sessionId: number, dispatch: Dispatch<Edit>): CaptionRun {
  const [progress, setProgress] = useState<RunProgress | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const pay = usePaidCall()
  const refreshUser = useRefreshUser()
  const listening = useRef<AbortController>(undefined)
  useEffect(() => () => listening.current?.abort(), [])

  async function fromPictures(slides: readonly EditedSlide[], kept: Kept, steering: string) {
    const mediaIds = slides.flatMap(({ key }) => kept.ids.get(key) ?? [])
    setFailure(null)
    setProgress({ done: 0, total: mediaIds.length, failed: 0 })
    try {
      listening.current = new AbortController()
      const events = await listen(sessionId, listening.current.signal)
      const { jobId } = await pay(
        {
          body: { sessionId, mediaIds, steering: steering.trim() === '' ? null : steering.trim() },
        },
        client.captions.captionSession,
      )
      void refreshUser()
      const figures = await events.follow(jobId, (data) => {
        setProgress(figuresOf(data))
        if (typeof data['caption'] === 'string')
          dispatch({
            type: 'written',
            id: Number(data['mediaId']),
            caption: data['caption'],
            thread: jobId,
          })
      })
      const opened = await client.sessions.read({ params: { id: String(sessionId) } })
      dispatch({ type: 'theirs', opened, thread: jobId })
      tellOutcome(figures, words.captionsWritten)
    } catch (error) {
      setFailure(explainUnpaid(error))
    } finally {
      listening.current?.abort()
      dispatch({ type: 'settle' })
      setProgress(null)
      await refreshUser()
    }
  }

  async function fromWords(slides: readonly EditedSlide[], instruction: string) {
    const thread = `rewrite-${performance.now()}`
    const total = slides.length
    let done = 0
    let failed = 0
    setFailure(null)
    setProgress({ done, total, failed })
    try {
      for (let start = 0; start < slides.length; start += rewrittenAtOnce) {
        const some = slides.slice(start, start + rewrittenAtOnce)
        const captions = some.map(({ caption }, index) => ({ index, caption }))
        const answer = await pay(
          { body: { sessionId, captions, instruction } },
          client.captions.rewriteBatch,
        )
        dispatch({ type: 'captions', captions: byKey(some, answer.captions), thread })
        failed += answer.failed.length
        done = start + some.length - failed
        setProgress({ done, total, failed })
        void refreshUser()
      }
      tellOutcome({ done, total, failed }, words.captionsRewritten)
    } catch (error) {
      const problem = explainUnpaid(error)
      setFailure(done > 0 ? words.rewrittenBefore({ problem, count: done }) : problem)
    } finally {
      dispatch({ type: 'settle' })
      setProgress(null)
      await refreshUser()
    }
  }

  return {
    progress,
    failure,
    fromPictures: (slides, kept, steering) => void fromPictures(slides, kept, steering),
    fromWords: (slides, instruction) => void fromWords(slides, instruction),
  }
}

type Data = Readonly<Record<string, unknown>>

/** Listens before the job is created, so that no event is missed. */
async function listen(sessionId: number, signal: AbortSignal) {
  const heard: SessionEvent[] = []
  let hear = (event: SessionEvent): void => void heard.push(event)
  const begun = Promise.withResolvers<void>()
  const broken = Promise.withResolvers<void>()
  const onBreak = () => {
    begun.resolve()
    broken.resolve()
  }
  void followSession(sessionId, {
    signal,
    onEvent: (event) => {
      begun.resolve()
      hear(event)
    },
    onBreak,
  }).finally(onBreak)
  await begun.promise
  return {
    follow: (jobId: string, onCaption: (data: Data) => void) =>
      new Promise<RunProgress>((resolve, reject) => {
        const handlers: EventHandlers = {
          caption: (data: Data) => data['jobId'] === jobId && onCaption(data),
          done: (data: Data) => data['jobId'] === jobId && resolve(figuresOf(data)),
        }
        hear = ({ type, data }) => handlers[type]?.(data)
        heard.forEach(hear)
        const askInstead = async () => {
          const asked = await askUntilDone(jobId, signal)
          if (asked) resolve(asked)
        }
        // Without the stream the job still runs; polling finds its end.
        broken.promise.then(askInstead).catch(reject)
      }),
  }
}

const pollAfterMs = 3000

/** Polls the job after the stream has failed. Returns null when the caller has stopped waiting. */
async function askUntilDone(jobId: string, signal: AbortSignal): Promise<RunProgress | null> {
  while (!signal.aborted) {
    const job = await client.captions.readJob({ params: { id: jobId } })
    if (job.status === 'completed' || job.status === 'failed') return job
    await new Promise((resolve) => setTimeout(resolve, pollAfterMs))
  }
  return null
}

function figuresOf({ done, total, failed }: Data): RunProgress {
  return { done: Number(done), total: Number(total), failed: Number(failed) }
}

function byKey(
  slides: readonly EditedSlide[],
  captions: readonly { index: number; caption: string }[],
): ReadonlyMap<string, string> {
  return new Map(
    captions.flatMap(({ index, caption }) => {
      const slide = slides[index]
      return slide ? [[slide.key, caption] as const] : []
    }),
  )
}

function tellOutcome({ done, failed }: RunProgress, say: typeof words.captionsWritten) {
  const came = say({ count: done })
  if (failed === 0) showToast({ text: came })
  else showToast({ text: `${came} ${words.captionsFailed({ count: failed })}`, isFailure: true })
}
