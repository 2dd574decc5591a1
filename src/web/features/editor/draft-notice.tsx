/** Says that unsaved work came back, and how to be rid of it. */
import { Button } from '../../ui/button.tsx'

export function DraftNotice({
  restoredAtMs,
  onDiscard,
}: {
  restoredAtMs: number | null
  onDiscard: () => void
}) {
  if (restoredAtMs === null) return null
  const time = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-mount bg-press px-3 py-1.5 text-sm">
      <output className="grow">
        Your unsaved changes of {time.format(restoredAtMs)} are back.
      </output>
      <Button size="small" onClick={onDiscard}>
        Discard them
      </Button>
    </div>
  )
}
