/**
 * Captions for many slides at once. From the pictures it is work in the background, told by the
 * session's events; rewriting words that are there is asked for a few at a time.
 */
import { type Dispatch, useEffect, useRef, useState } from 'react'
import { client, sessionEventsAddress } from '../../api.ts'
import { usePaidCall } from '../../paid-call.ts'
import { showToast } from '../../ui/toasts.tsx'
import { useRefreshUser } from '../accounts/current-user.ts'
import { explainUnpaid } from './caption-help.ts'
import type { Edit } from './editing.ts'
import type { EditedSlide, Kept } from './slides.ts'

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
  const source = useRef<EventSource>(undefined)
  useEffect(() => () => source.current?.close(), [])

  async function fromPictures(slides: readonly EditedSlide[], kept: Kept, steering: string) {
    const mediaIds = slides.flatMap(({ key }) => kept.ids.get(key) ?? [])
    setFailure(null)
    setProgress({ done: 0, total: mediaIds.length, failed: 0 })
    try {
      const events = await listen(sessionId)
      source.current = events.source
      const { jobId } = await pay((headers) =>
        client.captions.captionSession({
          body: { sessionId, mediaIds, steering: steering.trim() === '' ? null : steering.trim() },
          headers,
        }),
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
      tellOutcome(figures, 'written')
    } catch (error) {
      setFailure(explainUnpaid(error))
    } finally {
      source.current?.close()
      dispatch({ type: 'settle' })
      setProgress(null)
      await refreshUser()
    }
  }

  async function fromWords(slides: readonly EditedSlide[], instruction: string) {
    const thread = `rewrite ${performance.now()}`
    const total = slides.length
    let done = 0
    let failed = 0
    setFailure(null)
    setProgress({ done, total, failed })
    try {
      for (let start = 0; start < slides.length; start += rewrittenAtOnce) {
        const some = slides.slice(start, start + rewrittenAtOnce)
        const captions = some.map(({ caption }, index) => ({ index, caption }))
        const answer = await pay((headers) =>
          client.captions.rewriteBatch({ body: { sessionId, captions, instruction }, headers }),
        )
        dispatch({ type: 'captions', captions: byKey(some, answer.captions), thread })
        failed += answer.failed.length
        done = start + some.length - failed
        setProgress({ done, total, failed })
        void refreshUser()
      }
      tellOutcome({ done, total, failed }, 'rewritten')
    } catch (error) {
      const kept = done > 0 ? ` ${done} before it are rewritten.` : ''
      setFailure(`${explainUnpaid(error)}${kept}`)
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

type Data = Record<string, unknown>

/** Listens before the work is ordered, so that nothing of it is missed. */
async function listen(sessionId: number) {
  const source = new EventSource(sessionEventsAddress(sessionId))
  await new Promise<void>((resolve) => {
    source.addEventListener('session', () => resolve(), { once: true })
    // Without the stream the work is still done; its end is asked for instead.
    source.addEventListener('error', () => resolve(), { once: true })
  })
  return {
    source,
    follow: (jobId: string, onCaption: (data: Data) => void) =>
      new Promise<RunProgress>((resolve, reject) => {
        const on = (type: string, hear: (data: Data) => void) =>
          source.addEventListener(type, (event) => {
            const data: Data = JSON.parse(String(event.data))
            if (data['jobId'] === jobId) hear(data)
          })
        on('caption', onCaption)
        on('done', (data) => resolve(figuresOf(data)))
        const askIfClosed = () => {
          if (source.readyState === EventSource.CLOSED) askUntilDone(jobId).then(resolve, reject)
        }
        askIfClosed()
        source.addEventListener('error', askIfClosed)
      }),
  }
}

const askAgainMs = 3000

/** For a stream that the browser has given up. */
async function askUntilDone(jobId: string): Promise<RunProgress> {
  for (;;) {
    const job = await client.captions.readJob({ params: { id: jobId } })
    if (job.status === 'completed' || job.status === 'failed') return job
    await new Promise((resolve) => setTimeout(resolve, askAgainMs))
  }
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

function tellOutcome({ done, failed }: RunProgress, deed: 'written' | 'rewritten') {
  const what = done === 1 ? 'One caption is' : `${done} captions are`
  if (failed === 0) showToast({ text: `${what} ${deed}.` })
  else
    showToast({
      text: `${what} ${deed}. ${failed} did not come, and nothing was charged for ${failed === 1 ? 'it' : 'them'}.`,
      isFailure: true,
    })
}
