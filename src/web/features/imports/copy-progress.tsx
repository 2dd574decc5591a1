/** The progress of copying: ticks while they are distinguishable, then a line. */
import { ProgressLine } from '../../ui/progress-line.tsx'
import { Ticks } from '../../ui/ticks.tsx'
import type { Progress } from '../sessions/live-session.ts'
import { words } from './words.ts'

const maxTicks = 60

export function CopyProgress({ done, total }: Progress) {
  const label = words.copied
  return (
    <div className="grid gap-2">
      <p className="text-ink-2">{words.copying({ done, total })}</p>
      {total <= maxTicks ? (
        <Ticks label={label} done={done} total={total} />
      ) : (
        <ProgressLine label={label} share={done / total} />
      )}
    </div>
  )
}
