/**
 * The files of the vault as a grid that renders only the visible rows. One file is in the tab order; arrow
 * keys move between files, Space selects, Enter opens.
 */
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { VaultFile } from '../../uploads/page-uploads.ts'
import { formatMonth } from '../../words/figures.ts'
import type { Marking } from '../editor/marking.ts'
import { FileRow } from './file-row.tsx'
import { type GridRow, layoutGrid, neighbour, rowOf, rowsBetween } from './grid-layout.ts'
import { useGridWindow } from './grid-window.ts'
import { usePress } from './grid-press.ts'
import { words } from './words.ts'

const dayMs = 86_400_000
/** The distance to the end at which the next page is loaded. */
const moreAheadPx = 2400
/** The bars at the top and the bottom of the page. */
const barPx = 80
const wideFromPx = 700

export function VaultGrid({
  files,
  marking,
  hasMore,
  onMore,
  onDelete,
}: {
  files: readonly VaultFile[]
  marking: Marking
  hasMore: boolean
  onMore: () => void
  onDelete: (ids: readonly number[]) => void
}) {
  const container = useRef<HTMLTableElement>(null)
  const seen = useGridWindow(container)
  const [activeId, setActiveId] = useState<number | null>(null)
  const [headingOf] = useState(() => headings(new Date()))
  const layout = useMemo(() => {
    const isWide = seen.widthPx >= wideFromPx
    return layoutGrid(files, headingOf, {
      widthPx: Math.max(seen.widthPx, 240),
      rowPx: isWide ? 200 : 116,
      gapPx: isWide ? 6 : 4,
      headingPx: 34,
    })
  }, [files, headingOf, seen.widthPx])
  const found = files.findIndex(({ id }) => id === activeId)
  const active = found === -1 ? 0 : found
  const inSight = seen.widthPx === 0 ? [] : rowsBetween(layout.rows, seen.startPx, seen.endPx)
  const rows = withRow(inSight, rowOf(layout.rows, active))
  const press = usePress({ files, marking, onActive: setActiveId })
  const isNearEnd = seen.widthPx > 0 && layout.heightPx - seen.endPx < moreAheadPx
  useEffect(() => {
    if (hasMore && isNearEnd) onMore()
  }, [hasMore, isNearEnd, onMore])

  const isMoving = useRef(false)
  useEffect(() => {
    if (!isMoving.current) return
    isMoving.current = false
    container.current?.querySelector<HTMLElement>('a[tabindex="0"]')?.focus({ preventScroll: true })
  })

  function go(to: number, { isReaching }: { isReaching: boolean }) {
    const [from, file] = [files[active], files[to]]
    if (!file || !from) return
    if (isReaching) marking.reach(String(from.id), String(file.id))
    isMoving.current = true
    setActiveId(file.id)
    show(container.current, rowOf(layout.rows, to))
  }

  function onKeyDown(event: KeyboardEvent<HTMLTableElement>) {
    const { key, shiftKey: isReaching } = event
    const isModified = event.ctrlKey || event.metaKey
    const isStartRight = document.documentElement.dir === 'rtl'
    const file = files[active]
    if (!file) return
    const steps: Record<string, () => void> = {
      [isStartRight ? 'ArrowLeft' : 'ArrowRight']: () => go(active + 1, { isReaching }),
      [isStartRight ? 'ArrowRight' : 'ArrowLeft']: () => go(active - 1, { isReaching }),
      ArrowDown: () => go(neighbour(layout.rows, active, 1), { isReaching }),
      ArrowUp: () => go(neighbour(layout.rows, active, -1), { isReaching }),
      Home: () => go(0, { isReaching }),
      End: () => go(files.length - 1, { isReaching }),
      ' ': () => marking.toggle(String(file.id)),
      Escape: marking.clear,
      Delete: () => onDelete(marking.keys.size > 0 ? [...marking.keys].map(Number) : [file.id]),
      ...(isModified ? { a: marking.all } : {}),
    }
    const step = steps[key]
    if (!step || (isModified && key !== 'a')) return
    event.preventDefault()
    step()
  }

  return (
    <table
      ref={container}
      role="grid"
      aria-label={words.files}
      aria-multiselectable="true"
      aria-rowcount={layout.rows.length}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      {...press}
      className="relative block outline-none"
      style={{ height: layout.heightPx }}
    >
      <tbody className="block">
        {rows.map((row) =>
          row.kind === 'heading' ? (
            <tr
              key={row.text}
              aria-rowindex={layout.rows.indexOf(row) + 1}
              className="absolute inset-x-0 block"
              style={{ top: row.topPx, height: row.heightPx }}
            >
              <th scope="row" className="block text-start text-sm font-[500] text-ink-2">
                {row.text}
              </th>
            </tr>
          ) : (
            <FileRow
              key={files[row.cells[0]?.index ?? 0]?.id}
              row={row}
              rowIndex={layout.rows.indexOf(row) + 1}
              files={files}
              marked={marking.keys}
              isChoosing={marking.isChoosing}
              activeId={files[active]?.id ?? null}
            />
          ),
        )}
      </tbody>
    </table>
  )
}

/** Adds the row with the focus, so that it stays rendered at every scroll position. */
function withRow(rows: readonly GridRow[], row: GridRow | undefined): readonly GridRow[] {
  if (!row || rows.includes(row)) return rows
  return [...rows, row].toSorted((one, other) => one.topPx - other.topPx)
}

function show(container: HTMLElement | null, row: GridRow | undefined) {
  if (!container || !row) return
  const top = container.getBoundingClientRect().top + row.topPx
  const below = top + row.heightPx - (window.innerHeight - barPx)
  if (top < barPx) window.scrollBy({ top: top - barPx })
  else if (below > 0) window.scrollBy({ top: below })
}

/** Returns the heading of a date: today, this week, or a month. */
function headings(now: Date): (createdAt: string) => string {
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime()
  const months = new Map<string, string>()
  return (createdAt) => {
    const time = new Date(createdAt)
    if (time.getTime() >= today) return words.today
    if (time.getTime() >= today - 7 * dayMs) return words.thisWeek
    const month = createdAt.slice(0, 7)
    const known = months.get(month) ?? formatMonth(time)
    months.set(month, known)
    return known
  }
}
