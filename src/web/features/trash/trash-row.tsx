/** A row of the trash. It has no picture: files in the trash have no address. */
import { GalleryHorizontalEnd, Image, Trash2 } from 'lucide-react'
import type { client } from '../../api.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { words } from './words.ts'

export type Trashed = Awaited<ReturnType<typeof client.trash.list>>['items'][number]

const dayMs = 86_400_000

export function TrashRow({
  item,
  isMarked,
  isBusy,
  onMark,
  onRestore,
  onEnd,
}: {
  item: Trashed
  isMarked: boolean
  isBusy: boolean
  onMark: () => void
  onRestore: () => void
  onEnd: () => void
}) {
  const { kind, name } = item
  const Icon = kind === 'media' ? Image : GalleryHorizontalEnd
  return (
    <li className="flex items-center gap-2 border-t border-hairline px-3 py-2 first:border-0 sm:px-4">
      <label className="flex min-h-12 min-w-0 grow items-center gap-3">
        <input
          type="checkbox"
          checked={isMarked}
          onChange={onMark}
          aria-label={words.select({ name })}
          className="size-4 shrink-0 accent-ink"
        />
        <Icon size={18} aria-hidden="true" className="shrink-0 text-ink-3 max-sm:hidden" />
        <span className="min-w-0">
          <bdi className="block truncate font-[560]">{name}</bdi>
          <span className="block text-xs text-ink-3">
            {words.kinds[kind]} · {timeLeft(item)}
          </span>
        </span>
      </label>
      <Button
        size="small"
        look="line"
        isBusy={isBusy}
        className="shrink-0"
        aria-label={words.restoreOne({ name })}
        onClick={onRestore}
      >
        {words.restore}
      </Button>
      <IconButton
        label={words.deleteOneForGood({ name })}
        icon={<Trash2 size={18} aria-hidden="true" />}
        onClick={onEnd}
      />
    </li>
  )
}

function timeLeft({ purgeAt }: Trashed): string {
  const count = Math.ceil((Date.parse(purgeAt) - Date.now()) / dayMs)
  return count > 0 ? words.daysLeft({ count }) : words.goesSoon
}
