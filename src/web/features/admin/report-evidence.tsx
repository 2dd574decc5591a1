/** The reported content as it was at the time of the report, blurred until the reviewer asks to see it. */
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { FilmElement } from '../../ui/film-element.tsx'
import { words } from './report-words.ts'

export function Evidence({
  urls,
  isClear,
  onSwitch,
}: {
  urls: readonly string[]
  isClear: boolean
  onSwitch: () => void
}) {
  if (urls.length === 0)
    return (
      <p className="grid aspect-16/10 place-items-center rounded-aperture bg-well text-ink-3">
        {words.noEvidence}
      </p>
    )
  return (
    <div
      className={`relative overflow-hidden rounded-aperture bg-well ${isClear ? '' : 'aspect-16/10'}`}
    >
      <ul
        className={`grid gap-1 ${urls.length > 1 ? 'grid-cols-2 sm:grid-cols-3' : ''} ${isClear ? '' : 'blur-[34px] brightness-75 saturate-50'}`}
        aria-hidden={!isClear}
        inert={!isClear}
      >
        {urls.map((url, index) => (
          <li key={url} className="relative grid aspect-16/10 place-items-center overflow-hidden">
            <Piece url={url} name={words.evidence({ position: index + 1, count: urls.length })} />
          </li>
        ))}
      </ul>
      <output className="sr-only">{!isClear && words.hiddenEvidence}</output>
      <div
        className={
          isClear ? 'absolute end-2 bottom-2' : 'absolute inset-0 grid place-content-center'
        }
      >
        <Button
          className="bg-picture-burn! text-picture-ink!"
          aria-pressed={isClear}
          icon={
            isClear ? <EyeOff size={18} aria-hidden="true" /> : <Eye size={18} aria-hidden="true" />
          }
          onClick={onSwitch}
        >
          {isClear ? words.blur : words.look}
        </Button>
      </div>
    </div>
  )
}

function Piece({ url, name }: { url: string; name: string }) {
  const [isGone, setIsGone] = useState(false)
  const drop = () => setIsGone(true)
  if (isGone) return <p className="p-4 text-center text-sm text-ink-3">{words.gone}</p>
  if (/\.(mp4|webm|mov|m3u8)(\?|$)/i.test(url))
    return (
      // A report has no subtitles.
      <FilmElement
        src={url}
        aria-label={name}
        controls
        onFail={drop}
        className="absolute inset-0 size-full object-contain"
      />
    )
  return (
    <img
      src={url}
      alt={name}
      onError={drop}
      className="absolute inset-0 size-full object-contain"
    />
  )
}
