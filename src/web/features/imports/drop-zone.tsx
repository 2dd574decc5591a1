/**
 * Where things are dropped: a native file field behind a large label, so that it is reached by
 * keyboard and named like any other, and the whole page as its target, so that nothing dropped
 * beside it makes the browser leave.
 */
import { FolderOpen } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'

type Takers = {
  readonly onFiles: (files: readonly File[]) => void
  readonly onText: (text: string) => void
}

export function DropZone({
  onFiles,
  onText,
  isSmall,
}: Takers & {
  /** Once there is something, room is left for it. */
  isSmall: boolean
}) {
  const isOver = usePageDrop({ onFiles, onText })
  return (
    <label
      data-over={isOver ? '' : undefined}
      className={`drop-zone ${isSmall ? 'min-h-24 sm:min-h-40' : 'min-h-60 sm:min-h-72'}`}
    >
      <input
        type="file"
        aria-label="A file to import"
        aria-describedby="drop-zone-words"
        accept=".zip,.json,.txt,.csv,application/zip,application/json,text/plain"
        className="sr-only"
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
      <Tray className={isSmall ? 'max-sm:hidden' : ''} />
      <span id="drop-zone-words" className="grid justify-items-center gap-1">
        <span className="show-voice text-xl leading-snug font-[500] text-balance">
          {isOver ? 'Let go' : isSmall ? 'Or bring something else' : 'Put it into the tray'}
        </span>
        {!isSmall && (
          <span className="text-sm text-balance text-ink-2">
            Drop a zip, a listing or a text with addresses, or links from another window
          </span>
        )}
      </span>
      <span aria-hidden="true" className="button button-line button-normal">
        <FolderOpen size={18} />
        Choose a file
      </span>
    </label>
  )
}

/** Whether something that can be taken hovers over the page. */
function usePageDrop({ onFiles, onText }: Takers): boolean {
  const [isOver, setIsOver] = useState(false)
  const take = useEffectEvent((data: DataTransfer) => {
    const address = data.getData('text/uri-list')
    const files = [...data.files]
    // A picture dragged out of a page comes as a file too, but its address says more.
    const isPicture = files.length > 0 && files.every(({ type }) => type.startsWith('image/'))
    if (files.length > 0 && !(isPicture && address !== '')) onFiles(files)
    else onText(address || data.getData('text/plain'))
  })
  useEffect(() => {
    const listening = new AbortController()
    const on = (type: 'dragenter' | 'dragover' | 'dragleave' | 'drop', hear: DragListener) =>
      window.addEventListener(type, hear, { signal: listening.signal })
    const hover = (event: DragEvent) => {
      if (!canTake(event)) return
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy'
      setIsOver(true)
    }
    on('dragenter', hover)
    on('dragover', hover)
    on('dragleave', ({ relatedTarget }) => relatedTarget === null && setIsOver(false))
    on('drop', (event) => {
      setIsOver(false)
      if (!canTake(event) || !event.dataTransfer) return
      event.preventDefault()
      take(event.dataTransfer)
    })
    return () => listening.abort()
  }, [])
  return isOver
}

type DragListener = (event: DragEvent) => void

/** Words that are dropped into a field go there, as anywhere. */
function canTake({ dataTransfer, target }: DragEvent): boolean {
  const types = dataTransfer?.types ?? []
  if (types.includes('Files')) return true
  const isField = target instanceof Element && target.closest('textarea, input') !== null
  return !isField && (types.includes('text/uri-list') || types.includes('text/plain'))
}

/** A tray of slides, and one that is about to go in. */
function Tray({ className }: { className: string }) {
  return (
    <svg
      viewBox="0 0 160 104"
      fill="none"
      strokeWidth="1.5"
      strokeLinejoin="round"
      strokeLinecap="round"
      aria-hidden="true"
      className={`h-24 w-40 stroke-ink-3 ${className}`}
    >
      <path d="M52 46 34 82h92l-18-36z" stroke="none" className="drop-beam fill-lamp-beam" />
      <g className="drop-slide">
        <rect x="54" y="8" width="52" height="40" rx="4" className="fill-mount" />
        <rect x="62" y="15" width="36" height="26" rx="1.5" className="fill-well" />
        <path d="m64 38 10-11 8 8 5-5 9 8" />
        <circle cx="88" cy="22" r="2.5" />
      </g>
      <path d="M18 70h26M116 70h26M18 70l6 26h112l6-26" />
      <path d="M40 82v8M53 82v8M66 82v8M80 82v8M94 82v8M107 82v8M120 82v8" />
    </svg>
  )
}
