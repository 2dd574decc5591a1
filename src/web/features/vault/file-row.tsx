/** A row of files: each is a link to its page, with a checkbox that selects it. */
import { Check, Link2 } from 'lucide-react'
import { memo } from 'react'
import { Link } from 'wouter'
import { MediaMark } from '../../ui/media-mark.tsx'
import type { VaultFile } from '../../uploads/page-uploads.ts'
import { SlideThumbnail } from '../editor/slide-picture.tsx'
import type { GridRow } from './grid-layout.ts'
import { words } from './words.ts'

export const FileRow = memo(function FileRow({
  row,
  rowIndex,
  files,
  marked,
  isChoosing,
  activeId,
}: {
  row: Extract<GridRow, { kind: 'files' }>
  /** The position among all rows, from 1. */
  rowIndex: number
  files: readonly VaultFile[]
  marked: ReadonlySet<string>
  isChoosing: boolean
  activeId: number | null
}) {
  return (
    <tr
      aria-rowindex={rowIndex}
      className="absolute inset-x-0 block"
      style={{ top: row.topPx, height: row.heightPx }}
    >
      {row.cells.map(({ index, startPx, widthPx }) => {
        const file = files[index]
        if (!file) return null
        const isMarked = marked.has(String(file.id))
        return (
          <td
            key={file.id}
            data-file={file.id}
            aria-selected={isMarked}
            className="group absolute inset-y-0 block p-0 touch-manipulation select-none"
            style={{ insetInlineStart: startPx, width: widthPx }}
          >
            <Link
              href={`/vault/${file.id}`}
              tabIndex={file.id === activeId ? 0 : -1}
              draggable={false}
              className={`absolute inset-0 overflow-hidden rounded-aperture bg-well focus-visible:outline-offset-2 ${
                isMarked ? 'inset-1 ring-[3px] ring-lamp ring-offset-2 ring-offset-room' : ''
              }`}
            >
              <bdi className="sr-only">{file.originalName}</bdi>
              <SlideThumbnail
                slide={{
                  mediaUrl: file.url,
                  thumbnail: thumbnailOf(file, widthPx),
                  type: file.type,
                }}
              />
              <MediaMark type={file.type} />
              {file.isShared && (
                <span className="pointer-events-none absolute end-1 top-1 grid size-5 place-items-center rounded-[4px] bg-picture-burn/80 text-picture-ink">
                  <Link2 size={12} aria-hidden="true" />
                  <span className="sr-only">{words.hasLink}</span>
                </span>
              )}
            </Link>
            <button
              type="button"
              tabIndex={-1}
              aria-label={words.selectFile({ name: file.originalName })}
              aria-pressed={isMarked}
              className={`absolute start-1 top-1 grid size-8 cursor-pointer place-items-center rounded-full ${
                isMarked || isChoosing
                  ? ''
                  : 'opacity-0 group-hover:opacity-100 pointer-coarse:pointer-events-none forced-colors:opacity-100'
              }`}
            >
              <span
                className={`grid size-6 place-items-center rounded-full border ${
                  isMarked
                    ? 'border-lamp bg-lamp text-on-lamp'
                    : 'border-picture-ink bg-picture-burn/60 text-picture-ink'
                }`}
              >
                {isMarked && <Check size={15} strokeWidth={2.5} aria-hidden="true" />}
              </span>
            </button>
          </td>
        )
      })}
    </tr>
  )
})

/** Returns the smallest thumbnail that is sharp at this width, or null if there is none. */
function thumbnailOf({ thumbnails }: VaultFile, widthPx: number): string | null {
  const wanted = widthPx * Math.min(window.devicePixelRatio, 2)
  const sorted = thumbnails.toSorted((one, other) => one.width - other.width)
  return (sorted.find(({ width }) => width >= wanted) ?? sorted.at(-1))?.url ?? null
}
