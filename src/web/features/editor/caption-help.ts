/**
 * Captions that an AI suggests for a slide. What was paid for is kept with its slide until it is used
 * or discarded, also while another slide is looked at.
 */
import { useState } from 'react'
import { ApiProblem } from '../../../client/client.ts'
import { client, explain } from '../../api.ts'
import { usePaidCall } from '../../paid-call.ts'
import { useRefreshUser } from '../accounts/current-user.ts'
import { type EditedSlide, stillOf } from './slides.ts'
import { words } from './words.ts'

export type CaptionHelp = {
  readonly offers: ReadonlyMap<string, string>
  /** The slide that is being written for, and how. */
  readonly busy: { readonly key: string; readonly way: 'suggest' | 'rewrite' } | null
  readonly failures: ReadonlyMap<string, string>
  readonly suggest: (slide: EditedSlide, steering: string) => Promise<void>
  readonly rewrite: (slide: EditedSlide, instruction: string) => Promise<void>
  readonly discard: (key: string) => void
}

/** A suggestion's price is taken a moment after its answer has left the server. */
const settledMs = 1500

export function useCaptionHelp(
  slides: readonly EditedSlide[],
  { title, isNew }: { title: string; isNew: boolean },
): CaptionHelp {
  const [offers, setOffers] = useState<ReadonlyMap<string, string>>(new Map())
  const [failures, setFailures] = useState<ReadonlyMap<string, string>>(new Map())
  const [busy, setBusy] = useState<CaptionHelp['busy']>(null)
  const pay = usePaidCall()
  const refreshUser = useRefreshUser()

  async function ask(
    key: string,
    way: 'suggest' | 'rewrite',
    call: () => Promise<{ caption: string }>,
  ) {
    setBusy({ key, way })
    setFailures((failures) => without(failures, key))
    try {
      const { caption } = await call()
      setOffers((offers) => new Map(offers).set(key, caption))
    } catch (error) {
      setFailures((failures) => new Map(failures).set(key, explainUnpaid(error)))
    } finally {
      setBusy(null)
      await refreshUser()
      setTimeout(() => void refreshUser(), settledMs)
    }
  }

  return {
    offers,
    busy,
    failures,
    async suggest(slide, steering) {
      const image = stillOf(slide)
      if (image === null) return
      const index = slides.findIndex(({ key }) => key === slide.key)
      const context = {
        sessionTitle: title === '' ? null : title,
        index,
        total: slides.length,
        ...neighboursOf(slides, index),
        userSteering: steering.trim() === '' ? null : steering.trim(),
        sessionStage: isNew ? ('new_session' as const) : ('existing_session' as const),
      }
      await ask(slide.key, 'suggest', () =>
        pay({ body: { image, context } }, client.captions.generateManual),
      )
    },
    async rewrite(slide, instruction) {
      const index = slides.findIndex(({ key }) => key === slide.key)
      const body = {
        caption: slide.caption,
        instruction: instruction.trim() === '' ? null : instruction.trim(),
        context: { sessionTitle: title === '' ? null : title, ...neighboursOf(slides, index) },
      }
      await ask(slide.key, 'rewrite', () => pay({ body }, client.captions.rewrite))
    },
    discard: (key) => setOffers((offers) => without(offers, key)),
  }
}

/** Whether something was paid is only unknown where no answer came; the next try settles it. */
export function explainUnpaid(error: unknown): string {
  return error instanceof ApiProblem
    ? words.notCharged({ problem: explain(error) })
    : words.perhapsCharged({ problem: explain(error) })
}

/** The captions around a slide, as far as they are read. */
export function neighboursOf(slides: readonly EditedSlide[], index: number) {
  return {
    previousCaptions: spoken(slides.slice(0, index)).slice(-3),
    nextCaptions: spoken(slides.slice(index + 1)).slice(0, 3),
  }
}

function spoken(slides: readonly EditedSlide[]): string[] {
  return slides.map(({ caption }) => caption.trim()).filter((caption) => caption !== '')
}

function without(map: ReadonlyMap<string, string>, key: string): ReadonlyMap<string, string> {
  const rest = new Map(map)
  rest.delete(key)
  return rest
}
