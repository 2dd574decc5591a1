/** Pictures to pick: each is a toggle, and picked ones show their position in the order. */
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { formatNumber } from '../../words/figures.ts'
import { SlideThumbnail } from './slide-picture.tsx'
import type { EditedSlide } from './slides.ts'
import { words } from './words.ts'

export function TileGrid({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className={gridLook}>
      {children}
    </ul>
  )
}

export function PickTile({
  picture,
  name,
  turn,
  onSwitch,
}: {
  picture: Pick<EditedSlide, 'mediaUrl' | 'thumbnail' | 'type'>
  name: string
  /** Counted from 1; null if it is not picked. */
  turn: number | null
  onSwitch: () => void
}) {
  return (
    <li>
      <button
        type="button"
        aria-pressed={turn !== null}
        aria-label={turn === null ? name : words.chosenAs({ name, turn })}
        title={name}
        onClick={onSwitch}
        className={`relative block aspect-3/2 w-full cursor-pointer overflow-hidden rounded-aperture bg-well ${
          turn === null ? '' : 'ring-2 ring-lamp'
        }`}
      >
        <SlideThumbnail slide={picture} />
        {turn !== null && (
          <span className="absolute top-1 start-1 grid h-5 min-w-5 place-items-center rounded-[4px] bg-lamp px-1 text-2xs font-semibold text-on-lamp">
            {formatNumber(turn)}
          </span>
        )}
      </button>
    </li>
  )
}

export function TilesComing({ label }: { label: string }) {
  return (
    <Waiting label={label}>
      <div className={gridLook}>
        {Array.from({ length: 8 }, (_, index) => (
          <Skeleton key={index} className="aspect-3/2" />
        ))}
      </div>
    </Waiting>
  )
}

/** The foot of a source of slides: the count, and the button that adds them. */
export function AddFoot({
  count,
  room,
  onAdd,
  children,
}: {
  count: number
  room: number
  onAdd: () => void
  children?: ReactNode
}) {
  return (
    <div className="sticky -bottom-7 -mx-5 -mb-7 flex flex-wrap items-center gap-3 border-t border-hairline bg-raised px-5 py-3.5 sm:-bottom-6 sm:-mx-6 sm:-mb-6 sm:px-6">
      {children}
      <p className="text-xs text-ink-3 empty:hidden">
        {count > room ? words.onlyRoomFor({ count: room }) : count === 0 ? words.nothingChosen : ''}
      </p>
      <Button
        look="lit"
        icon={<Check size={18} aria-hidden="true" />}
        disabled={count === 0 || count > room}
        className="ms-auto"
        onClick={onAdd}
      >
        {words.addChosen({ count: Math.max(count, 1) })}
      </Button>
    </div>
  )
}

/** Returns the position in the order of picking, from 1, or null if it is not picked. */
export function turnOf<Thing extends { readonly id: unknown }>(
  picked: readonly Thing[],
  { id }: Thing,
): number | null {
  const index = picked.findIndex((thing) => thing.id === id)
  return index === -1 ? null : index + 1
}

const gridLook = 'grid grid-cols-3 gap-2 p-0.5 sm:grid-cols-4'
