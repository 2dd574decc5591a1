/** Orders captions for many slides: which ones, in what manner, and what that costs. */
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { ChipChoice } from '../../ui/choice.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/field.tsx'
import { useCurrentUser } from '../accounts/current-user.ts'
import { usePrice } from '../accounts/prices.ts'
import { type EditedSlide, stillOf } from './slides.ts'

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
    <Dialog title="Caption all slides" onClose={onClose} width="wide">
      <form onSubmit={send} className="grid gap-4">
        <ChipChoice
          label="Which slides"
          value={way}
          onChoose={setWay}
          options={[
            { value: 'silent', label: `Those without words (${groups.silent.length})` },
            { value: 'all', label: `All, from the pictures (${groups.all.length})` },
            { value: 'words', label: `Rewrite my words (${groups.words.length})` },
          ]}
        />
        <p className="text-sm text-ink-2">{explanations[way]}</p>
        <TextArea
          label={way === 'words' ? 'How to rewrite them' : 'Steer them (optional)'}
          value={steering}
          maxLength={1000}
          rows={3}
          placeholder="Slower, as if someone were walking there"
          onChange={(event) => setSteering(event.currentTarget.value)}
        />
        <p className="text-sm text-ink-2" aria-live="polite">
          {obstacle ??
            (cost === undefined
              ? ''
              : `${price} credits a slide. You have ${balance.toLocaleString('en')}, ${(balance - cost).toLocaleString('en')} after. What fails costs nothing.`)}
        </p>
        <DialogActions>
          <Button look="bare" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            look="lit"
            price={cost === undefined ? undefined : `${cost} credits`}
            disabled={obstacle !== null}
          >
            {way === 'words' ? 'Rewrite' : 'Write captions'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

const explanations: Record<Way, string> = {
  silent: 'Looks at each picture that has no caption yet, in line with the slides around it.',
  all: 'Looks at every picture and replaces the captions that are there.',
  words: 'Writes the captions that are there anew, without looking at the pictures.',
}

function groupsOf(slides: readonly EditedSlide[]): Record<Way, readonly EditedSlide[]> {
  const visible = slides.filter((slide) => stillOf(slide) !== null)
  return {
    silent: visible.filter(({ caption }) => caption.trim() === ''),
    all: visible,
    words: slides.filter(({ caption }) => caption.trim() !== ''),
  }
}

/** Why it cannot be ordered, in words; null where it can. */
function obstacleTo(order: {
  way: Way
  count: number
  steering: string
  cost: number | undefined
  balance: number
}): string | null {
  const { way, count, steering, cost, balance } = order
  if (count === 0)
    return way === 'words' ? 'No slide has a caption yet.' : 'There is no slide for this.'
  if (way === 'words' && steering.trim() === '') return 'Say how they should be rewritten.'
  if (cost !== undefined && cost > balance)
    return `This takes ${cost} credits and you have ${balance}.`
  return null
}
