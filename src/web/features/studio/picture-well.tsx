/** A field for one picture: empty with ways to choose one, or the picture with a button to change it. */
import { Images, ImageOff } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ChoosePictures } from './choose-pictures.tsx'
import { sizeOf, type StudioPicture, useLoadedPicture } from './studio-picture.ts'
import { words } from './words.ts'

export function PictureWell({
  label,
  picture,
  onChoose,
  complaint = null,
  isAlone = false,
  children,
}: {
  label: string
  picture: StudioPicture | null
  onChoose: (picture: StudioPicture) => void
  /** The reason why this picture cannot be used. */
  complaint?: string | null
  /** True for the only picture of a tool, which has a wide field. */
  isAlone?: boolean
  /** Another way to choose a picture. */
  children?: ReactNode
}) {
  const id = useId()
  const [isChoosing, setIsChoosing] = useState(false)
  const { data: image, isPending, isError } = useLoadedPicture(picture)
  const size = image && sizeOf(image)
  return (
    <section aria-labelledby={id} className="grid min-w-0 content-start gap-2">
      <h2 id={id} className="text-sm font-[560]">
        {label}
      </h2>
      <div
        className={`relative grid place-items-center overflow-hidden rounded-aperture bg-well text-ink-3 ${isAlone ? 'aspect-2/1' : 'aspect-4/5'}`}
      >
        {picture === null && <Images size={24} strokeWidth={1.5} aria-hidden="true" />}
        {picture !== null && isPending && <Skeleton className="absolute inset-0" />}
        {picture !== null && isError && <ImageOff size={24} strokeWidth={1.5} aria-hidden="true" />}
        {picture !== null && image && (
          <img src={picture.url} alt="" className="absolute inset-0 size-full object-contain" />
        )}
      </div>
      <p className="min-h-4 truncate text-xs text-ink-3">
        {picture === null && words.noPicture}
        {size && words.pixels(size)}
      </p>
      <p role="alert" className="text-xs text-danger empty:hidden">
        {isError ? words.pictureMissing : complaint}
      </p>
      <Button size="small" onClick={() => setIsChoosing(true)}>
        {picture === null ? words.fromVault : words.change}
      </Button>
      {children}
      {isChoosing && (
        <ChoosePictures
          room={1}
          onChoose={([chosen]) => chosen && onChoose(chosen)}
          onClose={() => setIsChoosing(false)}
        />
      )}
    </section>
  )
}
