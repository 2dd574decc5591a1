/** Orders captions for many slides: which slides, which method, and the cost. */
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { ChipChoice } from '../../ui/choice.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/field.tsx'
import { useCurrentUser } from '../accounts/current-user.ts'
import { usePrice } from '../accounts/prices.ts'
import { type EditedSlide, stillOf } from './slides.ts'
import { words } from './words.ts'

type Way = 'silent' | 'all' | 'words'

export type CaptionOrder = {
  readonly way: 'pictures' | 'words'
  readonly slides: readonly EditedSlide[]
  readonly steering: string
}

export function CaptionAll({
  slides,
  onOrder,
  onClose,
}: {
  slides: readonly EditedSlide[]
  onOrder: (order: CaptionOrder) => void
  onClose: () => void
}) {
  const groups = groupsOf(slides)
  const [way, setWay] = useState<Way>(groups.silent.length > 0 ? 'silent' : 'words')
  const [steering, setSteering] = useState('')
  const price = usePrice('caption_batch_rewrite')
  const { data: user } = useCurrentUser()
  const chosen = groups[way]
  const cost = price === undefined ? undefined : price * chosen.length
  const balance = user?.credits.balance ?? 0
  const obstacle = obstacleTo({ way, count: chosen.length, steering, cost, balance })

  function send(event: FormEvent) {
    event.preventDefault()
    if (obstacle !== null) return
    onOrder({ way: way === 'words' ? 'words' : 'pictures', slides: chosen, steering })
    onClose()
  }

  return (
    <Dialog title={words.captionAllSlides} onClose={onClose} width="wide">
      <form onSubmit={send} className="grid gap-4">
        <ChipChoice
          label={words.whichSlides}
          value={way}
          onChoose={setWay}
          options={[
            { value: 'silent', label: words.slidesWithoutWords({ count: groups.silent.length }) },
            { value: 'all', label: words.allFromPictures({ count: groups.all.length }) },
            { value: 'words', label: words.rewriteMyWords({ count: groups.words.length }) },
          ]}
        />
        <p className="text-sm text-ink-2">{words.captionWays[way]}</p>
        <TextArea
          label={way === 'words' ? words.howToRewrite : words.steerAll}
          value={steering}
          maxLength={1000}
          rows={3}
          placeholder={words.steerAllPlaceholder}
          onChange={(event) => setSteering(event.currentTarget.value)}
        />
        <p className="text-sm text-ink-2" aria-live="polite">
          {obstacle ??
            (price === undefined || cost === undefined
              ? ''
              : words.pricePerSlide({ count: price, balance, after: balance - cost }))}
        </p>
        <DialogActions>
          <Button look="bare" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button
            type="submit"
            look="lit"
            price={cost === undefined ? undefined : words.price({ count: cost })}
            disabled={obstacle !== null}
          >
            {way === 'words' ? words.rewrite : words.writeCaptions}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function groupsOf(slides: readonly EditedSlide[]): Record<Way, readonly EditedSlide[]> {
  const visible = slides.filter((slide) => stillOf(slide) !== null)
  return {
    silent: visible.filter(({ caption }) => caption.trim() === ''),
    all: visible,
    words: slides.filter(({ caption }) => caption.trim() !== ''),
  }
}

/** Returns the reason why captions cannot be ordered, or null. */
function obstacleTo(order: {
  way: Way
  count: number
  steering: string
  cost: number | undefined
  balance: number
}): string | null {
  const { way, count, steering, cost, balance } = order
  if (count === 0) return way === 'words' ? words.noneHasCaption : words.noSlideForThis
  if (way === 'words' && steering.trim() === '') return words.rewriteHowMissing
  if (cost !== undefined && cost > balance) return words.costTooHigh({ count: cost, balance })
  return null
}
