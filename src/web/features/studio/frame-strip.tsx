/** The pictures of an animation in order, each with buttons to move or remove it. */
import { ArrowLeft, ArrowRight, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { formatNumber } from '../../words/figures.ts'
import { animateWords } from './animate-words.ts'
import { ChoosePictures } from './choose-pictures.tsx'
import type { StudioPicture } from './studio-picture.ts'

export const maxPictures = 24

export type FramePicture = StudioPicture & { readonly id: number }

let lastId = 0

/** Gives each its own id, because the same picture may occur more than once. */
export function framesOf(pictures: readonly StudioPicture[]): FramePicture[] {
  return pictures.map((picture) => {
    lastId += 1
    return { ...picture, id: lastId }
  })
}

export function FrameStrip({
  pictures,
  onChange,
}: {
  pictures: readonly FramePicture[]
  onChange: (pictures: readonly FramePicture[]) => void
}) {
  const [isChoosing, setIsChoosing] = useState(false)
  const move = (from: number, to: number) => {
    const picture = pictures[from]
    if (!picture || to < 0 || to >= pictures.length) return
    onChange(pictures.toSpliced(from, 1).toSpliced(to, 0, picture))
  }
  return (
    <section aria-label={animateWords.pictures} className="rounded-mount bg-mount p-4 shadow-mount">
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <h2 className="text-lg font-semibold">{animateWords.pictures}</h2>
        <p className="text-xs text-ink-3">
          {animateWords.howMany({ count: pictures.length, max: maxPictures })}
        </p>
        <Button
          className="ms-auto"
          icon={<Plus size={18} aria-hidden="true" />}
          disabled={pictures.length >= maxPictures}
          onClick={() => setIsChoosing(true)}
        >
          {animateWords.addPictures}
        </Button>
      </div>
      <ol className="flex gap-2 overflow-x-auto p-0.5 empty:hidden">
        {pictures.map(({ id, url, name }, index) => (
          <li key={id} className="grid w-28 shrink-0 gap-1">
            <div className="relative">
              <img
                src={url}
                alt={animateWords.pictureNumber({ number: index + 1, name })}
                className="aspect-square w-full rounded-aperture bg-well object-cover"
              />
              <span
                aria-hidden="true"
                className="absolute top-1 start-1 rounded-[4px] bg-raised px-1.5 text-2xs font-semibold"
              >
                {formatNumber(index + 1)}
              </span>
            </div>
            <div className="flex justify-between [&_.icon-button]:size-9">
              <IconButton
                label={animateWords.earlier({ number: index + 1 })}
                icon={<ArrowLeft size={16} aria-hidden="true" className="rtl:-scale-x-100" />}
                disabled={index === 0}
                className="disabled:opacity-40"
                onClick={() => move(index, index - 1)}
              />
              <IconButton
                label={animateWords.remove({ number: index + 1 })}
                icon={<X size={16} aria-hidden="true" />}
                onClick={() => onChange(pictures.toSpliced(index, 1))}
              />
              <IconButton
                label={animateWords.later({ number: index + 1 })}
                icon={<ArrowRight size={16} aria-hidden="true" className="rtl:-scale-x-100" />}
                disabled={index === pictures.length - 1}
                className="disabled:opacity-40"
                onClick={() => move(index, index + 1)}
              />
            </div>
          </li>
        ))}
      </ol>
      {isChoosing && (
        <ChoosePictures
          room={maxPictures - pictures.length}
          onChoose={(chosen) => onChange([...pictures, ...framesOf(chosen)])}
          onClose={() => setIsChoosing(false)}
        />
      )}
    </section>
  )
}
