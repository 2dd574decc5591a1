/** The picture of a slide: small in the strip, large on the stage, and a text if it fails to load. */
import { ImageOff } from 'lucide-react'
import { useState } from 'react'
import { useReach } from '../../network.ts'
import { Film } from './film.tsx'
import type { EditedSlide } from './slides.ts'
import { words } from './words.ts'

type Pictured = Pick<EditedSlide, 'mediaUrl' | 'thumbnail' | 'type'>

export function SlideThumbnail({ slide }: { slide: Pictured }) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  const url = slide.thumbnail ?? slide.mediaUrl
  const className = 'pointer-events-none absolute inset-0 size-full object-cover'
  if (url === '' || failedUrl === url)
    return <ImageOff size={18} aria-hidden="true" className="absolute inset-0 m-auto text-ink-3" />
  if (slide.thumbnail === null && slide.type === 'video')
    return <video src={url} preload="metadata" muted aria-hidden="true" className={className} />
  return (
    <img
      src={url}
      alt=""
      loading="lazy"
      fetchPriority="low"
      decoding="async"
      draggable={false}
      onError={() => setFailedUrl(url)}
      className={className}
    />
  )
}

function Missing() {
  const reach = useReach()
  return reach && words.doesNotLoad[reach]
}

/** Shows the whole picture, as the player does. */
export function LargePicture({ slide, name }: { slide: Pictured; name: string }) {
  const [failedUrl, setFailedUrl] = useState<string | null>(null)
  const className = 'absolute inset-0 size-full object-contain'
  const fail = () => setFailedUrl(slide.mediaUrl)
  if (slide.mediaUrl === '' || failedUrl === slide.mediaUrl)
    return (
      <div className="absolute inset-0 grid place-content-center justify-items-center gap-2 p-6 text-center text-picture-ink-quiet">
        <ImageOff size={24} strokeWidth={1.5} aria-hidden="true" />
        <p className="text-sm">{slide.mediaUrl === '' ? words.inTrash : <Missing />}</p>
      </div>
    )
  if (slide.type === 'video')
    return (
      <Film
        key={slide.mediaUrl}
        src={slide.mediaUrl}
        poster={slide.thumbnail}
        name={name}
        onFail={fail}
      />
    )
  return (
    <img
      key={slide.mediaUrl}
      src={slide.mediaUrl}
      alt={name}
      decoding="async"
      onError={fail}
      className={className}
    />
  )
}
