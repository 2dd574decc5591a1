/** Taking everything along, with how far it is, and leaving for good. */
import { Download } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { explain } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { formatSize } from '../../words/figures.ts'
import { words } from './leaving-words.ts'
import { useAccountExport } from './account-export.ts'

const LeaveDialog = lazy(() =>
  import('./leave-dialog.tsx').then(({ LeaveDialog }) => ({ default: LeaveDialog })),
)

export function ExportPanel() {
  const { take, bytes, cancel } = useAccountExport()
  return (
    <Panel title={words.export}>
      <p className="text-sm text-ink-2">{words.exportHelp}</p>
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          icon={<Download size={18} aria-hidden="true" />}
          isBusy={take.isPending}
          onClick={() => take.mutate()}
        >
          {words.exportStart}
        </Button>
        {take.isPending && (
          <>
            <span className="text-sm text-ink-2">
              {words.exportSoFar({ bytes: formatSize(bytes) })}
            </span>
            <Button look="bare" size="small" onClick={cancel}>
              {words.exportCancel}
            </Button>
          </>
        )}
        <output className="text-sm text-ink-2 empty:hidden">
          {take.isSuccess && take.data && words.exportDone({ bytes: formatSize(bytes) })}
        </output>
      </div>
      <Failure text={take.error && explain(take.error)} />
    </Panel>
  )
}

export function LeavePanel() {
  const [isAsked, setIsAsked] = useState(false)
  return (
    <Panel title={words.leave}>
      <p className="text-sm text-ink-2">{words.leaveHelp}</p>
      <Button look="line" className="mt-4" onClick={() => setIsAsked(true)}>
        {words.leaveStart}
      </Button>
      {isAsked && (
        <Suspense>
          <LeaveDialog onClose={() => setIsAsked(false)} />
        </Suspense>
      )}
    </Panel>
  )
}
