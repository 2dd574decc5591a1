/**
 * A drop zone: a native file input inside a large label, accessible by keyboard. Files that are dropped
 * beside it arrive too.
 */
import { FolderOpen } from 'lucide-react'
import { type Brought, filesOfList } from '../../uploads/brought-files.ts'
import { useHover } from '../../uploads/page-intake.ts'
import { acceptedMedia } from '../../uploads/media-kind.ts'
import { words } from './words.ts'

export function DropZone({
  onFiles,
  isSmall,
}: {
  onFiles: (coming: Promise<Brought>) => void
  /** Smaller when there is content below. */
  isSmall: boolean
}) {
  const isOver = useHover() !== null
  return (
    <label
      data-over={isOver ? '' : undefined}
      className={`drop-zone ${isSmall ? 'min-h-24 sm:min-h-40' : 'min-h-60 sm:min-h-72'}`}
    >
      <input
        type="file"
        multiple
        aria-label={words.fileToImport}
        aria-describedby="drop-zone-words"
        accept={`${acceptedMedia},.zip,.json,.txt,.csv,application/zip,application/json,text/plain`}
        className="sr-only"
        onChange={(event) => {
          onFiles(Promise.resolve(filesOfList(event.currentTarget.files ?? [])))
          event.currentTarget.value = ''
        }}
      />
      <Tray className={isSmall ? 'max-sm:hidden' : ''} />
      <span id="drop-zone-words" className="grid justify-items-center gap-1">
        <span className="show-voice text-xl leading-snug font-[500] text-balance">
          {isOver ? words.letGo : isSmall ? words.bringSomethingElse : words.putIntoTray}
        </span>
        {!isSmall && <span className="text-sm text-balance text-ink-2">{words.whatToDrop}</span>}
      </span>
      <span aria-hidden="true" className="button button-line button-normal">
        <FolderOpen size={18} />
        {words.chooseFiles}
      </span>
    </label>
  )
}

/** A drawing of a slide tray, and a slide above it. */
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
