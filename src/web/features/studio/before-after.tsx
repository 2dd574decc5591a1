/** Compares a picture before and after: a slider sets how much of each is visible. */
import { ChevronsLeftRight } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { enhanceWords } from './enhance-words.ts'

export function BeforeAfter({ beforeUrl, afterUrl }: { beforeUrl: string; afterUrl: string }) {
  const [share, setShare] = useState(50)
  const after = useRef<HTMLImageElement>(null)
  const bar = useRef<HTMLSpanElement>(null)
  // Pictures have no reading direction: before is on the left in every language.
  useEffect(() => {
    if (after.current) after.current.style.clipPath = `inset(0 0 0 ${share}%)`
    if (bar.current) bar.current.style.left = `${share}%`
  }, [share])
  return (
    <div
      dir="ltr"
      className="relative grid overflow-hidden rounded-aperture bg-well outline-offset-2 outline-focus has-[input:focus-visible]:outline-2"
    >
      <img
        src={afterUrl}
        ref={after}
        alt={enhanceWords.after}
        className="z-[1] col-start-1 row-start-1 max-h-[60vh] w-full object-contain"
      />
      <img
        src={beforeUrl}
        alt={enhanceWords.before}
        className="absolute inset-0 size-full object-contain"
      />
      <span
        ref={bar}
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 z-[2] -ms-px w-0.5 bg-picture-ink"
      >
        <span className="absolute top-1/2 left-1/2 grid size-10 -translate-1/2 place-items-center rounded-full bg-picture-ink text-picture-dark shadow-lift">
          <ChevronsLeftRight size={18} />
        </span>
      </span>
      <span className={`${labelLook} left-3`}>{enhanceWords.before}</span>
      <span className={`${labelLook} right-3`}>{enhanceWords.after}</span>
      <input
        type="range"
        aria-label={enhanceWords.compare}
        aria-valuetext={enhanceWords.compareAt({ value: share })}
        min={0}
        max={100}
        value={share}
        onChange={(event) => setShare(Number(event.currentTarget.value))}
        className="absolute inset-0 z-[3] size-full cursor-ew-resize opacity-0"
      />
    </div>
  )
}

const labelLook =
  'pointer-events-none absolute bottom-3 z-[2] rounded-[4px] bg-picture-dark px-2 py-1 text-xs font-[560] text-picture-ink'
