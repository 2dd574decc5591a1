/**
 * Suggests a caption for a slide with AI. A paid suggestion stays with its slide until it is used or
 * discarded, also while another slide is selected.
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
  /** The slide whose caption is being written, and the method. */
  readonly busy: { readonly key: string; readonly way: 'suggest' | 'rewrite' } | null
  readonly failures: ReadonlyMap<string, string>
  readonly suggest: (slide: EditedSlide, steering: string) => Promise<void>
  readonly rewrite: (slide: EditedSlide, instruction: string) => Promise<void>
  readonly discard: (key: string) => void
}

/** The server charges for a suggestion shortly after it has sent it. */
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

/**
 * Explains a failure. Without a response it is unknown whether the call was charged; a retry does not charge
 * twice.
 */
export function explainUnpaid(error: unknown): string {
  return error instanceof ApiProblem
    ? words.notCharged({ problem: explain(error) })
    : words.perhapsCharged({ problem: explain(error) })
}

/** Returns the nearest captions before and after a slide, as context for the AI. */
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
