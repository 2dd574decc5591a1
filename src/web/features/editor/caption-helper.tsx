/** Suggests a caption for a slide, or rewrites its own, consistent with the slides around it. */
import { useId, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { FieldLabel } from '../../ui/field.tsx'
import { formatNumber } from '../../words/figures.ts'
import { useCurrentUser } from '../accounts/current-user.ts'
import { usePrice } from '../accounts/prices.ts'
import type { CaptionHelp } from './caption-help.ts'
import { type EditedSlide, stillOf } from './slides.ts'
import { words } from './words.ts'

export function CaptionHelper({
  slides,
  slide,
  help,
  isLocked,
  onUse,
}: {
  slides: readonly EditedSlide[]
  slide: EditedSlide
  help: CaptionHelp
  isLocked: boolean
  onUse: (caption: string) => void
}) {
  const id = useId()
  const [steering, setSteering] = useState('')
  const offer = help.offers.get(slide.key)
  const canSee = stillOf(slide) !== null
  const hasWords = slide.caption.trim() !== ''
  const busyWay = help.busy?.key === slide.key ? help.busy.way : null
  const isElsewhere = help.busy !== null && busyWay === null
  return (
    <section
      aria-labelledby={`${id}-title`}
      className="grid gap-3 rounded-mount bg-mount p-4 shadow-mount"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 id={`${id}-title`} className="text-lg font-semibold">
          {words.suggestCaption}
        </h2>
        <span className="text-xs text-ink-3">{words.readsAround}</span>
      </div>
      <Neighbours slides={slides} slide={slide} />
      <div className="grid gap-1.5">
        <FieldLabel htmlFor={`${id}-steer`}>{words.steer}</FieldLabel>
        <input
          id={`${id}-steer`}
          value={steering}
          maxLength={1000}
          placeholder={words.steerPlaceholder}
          autoComplete="off"
          onChange={(event) => setSteering(event.currentTarget.value)}
          className="field w-full text-base"
        />
      </div>
      <output className="grid empty:-mt-3">
        {offer !== undefined && (
          <Offer
            text={offer}
            isLocked={isLocked}
            onUse={() => {
              onUse(offer)
              help.discard(slide.key)
            }}
            onDiscard={() => help.discard(slide.key)}
          />
        )}
      </output>
      <Failure text={help.failures.get(slide.key)} />
      <div className="grid gap-2">
        <PricedButton
          feature="smart_caption"
          isBusy={busyWay === 'suggest'}
          isDisabled={!canSee || isElsewhere || busyWay === 'rewrite'}
          onPress={() => void help.suggest(slide, steering)}
        >
          {offer === undefined ? words.suggest : words.suggestAnother}
        </PricedButton>
        {hasWords && (
          <PricedButton
            feature="caption_rewrite"
            look="line"
            isBusy={busyWay === 'rewrite'}
            isDisabled={isElsewhere || busyWay === 'suggest'}
            onPress={() => void help.rewrite(slide, steering)}
          >
            {words.rewriteMine}
          </PricedButton>
        )}
      </div>
      <Spending isElsewhere={isElsewhere} canSee={canSee} />
    </section>
  )
}

function Neighbours({ slides, slide }: { slides: readonly EditedSlide[]; slide: EditedSlide }) {
  const index = slides.findIndex(({ key }) => key === slide.key)
  const around = [index - 1, index + 1].flatMap((neighbour) => {
    const caption = slides[neighbour]?.caption.trim() ?? ''
    return caption === '' ? [] : [{ neighbour, caption }]
  })
  if (around.length === 0) return null
  return (
    <ul aria-label={words.captionsBeside} className="grid gap-1 text-sm">
      {around.map(({ neighbour, caption }) => (
        <li key={neighbour} className="grid grid-cols-[1.625rem_minmax(0,1fr)]">
          <span className="text-ink-3">{formatNumber(neighbour + 1)}</span>
          <bdi className="show-voice truncate text-ink-2">{caption}</bdi>
        </li>
      ))}
    </ul>
  )
}

function Offer({
  text,
  isLocked,
  onUse,
  onDiscard,
}: {
  text: string
  isLocked: boolean
  onUse: () => void
  onDiscard: () => void
}) {
  return (
    <div className="grid gap-2.5 border-s-2 border-lamp py-0.5 ps-3.5">
      <p className="show-voice text-lg leading-[1.42] font-[480]">{text}</p>
      <div className="flex gap-1.5">
        <Button size="small" disabled={isLocked} onClick={onUse}>
          {words.acceptOffer}
        </Button>
        <Button size="small" look="bare" onClick={onDiscard}>
          {words.discard}
        </Button>
      </div>
    </div>
  )
}

function PricedButton({
  feature,
  look = 'plain',
  isBusy,
  isDisabled,
  onPress,
  children,
}: {
  feature: string
  look?: 'plain' | 'line'
  isBusy: boolean
  isDisabled: boolean
  onPress: () => void
  children: string
}) {
  const { data: user } = useCurrentUser()
  const price = usePrice(feature)
  const isShort = price !== undefined && (user?.credits.balance ?? 0) < price
  return (
    <Button
      look={look}
      price={price === undefined ? undefined : words.price({ count: price })}
      isBusy={isBusy}
      disabled={isDisabled || isShort}
      onClick={onPress}
    >
      {children}
    </Button>
  )
}

function Spending({ isElsewhere, canSee }: { isElsewhere: boolean; canSee: boolean }) {
  const { data: user } = useCurrentUser()
  const price = usePrice('smart_caption')
  const balance = user?.credits.balance ?? 0
  const isShort = price !== undefined && balance < price
  const said = [
    isElsewhere && words.writingElsewhere,
    !canSee && words.noStill,
    isShort && words.tooFewCredits({ count: balance }),
    price !== undefined &&
      !isShort &&
      words.creditsAfter({ count: balance, after: balance - price }),
  ]
  return <p className="text-xs text-ink-3">{said.filter((text) => text !== false).join(' ')}</p>
}
