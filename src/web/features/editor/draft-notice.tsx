/** Says that unsaved changes were restored, with a button to discard them. */
import { Button } from '../../ui/button.tsx'
import { formatMoment } from '../../words/figures.ts'
import { words } from './words.ts'

export function DraftNotice({
  restoredAtMs,
  onDiscard,
}: {
  restoredAtMs: number | null
  onDiscard: () => void
}) {
  if (restoredAtMs === null) return null
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-mount bg-press px-3 py-1.5 text-sm">
      <output className="grow">
        {words.changesBack({ moment: formatMoment(new Date(restoredAtMs)) })}
      </output>
      <Button size="small" onClick={onDiscard}>
        {words.discardThem}
      </Button>
    </div>
  )
}
