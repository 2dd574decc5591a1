/** The actions for several selected files. */
import { GalleryHorizontalEnd, Share2, Trash2 } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import type { VaultFile } from '../../uploads/page-uploads.ts'
import { formatSize } from '../../words/figures.ts'
import type { Marking } from '../editor/marking.ts'
import { words } from './words.ts'

export function FileSelection({
  marking,
  files,
  onMake,
  onShare,
  onDelete,
}: {
  marking: Marking
  files: readonly VaultFile[]
  onMake: () => void
  onShare: () => void
  onDelete: () => void
}) {
  const count = marking.keys.size
  const bytes = files
    .filter(({ id }) => marking.keys.has(String(id)))
    .reduce((sum, { size }) => sum + size, 0)
  return (
    <div
      role="toolbar"
      aria-label={words.selectedFiles}
      className="sticky top-[54px] z-10 mb-4 flex flex-wrap items-center gap-1 rounded-mount bg-press px-3 py-1.5 max-sm:gap-0 max-sm:px-2 sm:top-[60px]"
    >
      <output className="me-auto min-w-36 text-sm font-[560] max-sm:w-full max-sm:ps-2.5">
        {count === 0
          ? words.pressToSelect
          : words.filesSelectedSize({ count, size: formatSize(bytes) })}
      </output>
      <Button size="small" look="bare" onClick={marking.all}>
        {words.selectAll}
      </Button>
      <Button
        size="small"
        look="bare"
        disabled={count === 0}
        icon={<GalleryHorizontalEnd size={16} aria-hidden="true" />}
        onClick={onMake}
      >
        {words.makeSession}
      </Button>
      <Button
        size="small"
        look="bare"
        disabled={count !== 1}
        icon={<Share2 size={16} aria-hidden="true" />}
        onClick={onShare}
      >
        <span className="max-sm:sr-only">{words.share}</span>
      </Button>
      <Button
        size="small"
        look="bare"
        disabled={count === 0}
        icon={<Trash2 size={16} aria-hidden="true" />}
        onClick={onDelete}
      >
        <span className="max-sm:sr-only">{words.moveToTrash}</span>
      </Button>
      <Button size="small" onClick={marking.clear}>
        {words.done}
      </Button>
    </div>
  )
}
