/** Downloads the whole account as one file and shows the progress. */
import { Download } from 'lucide-react'
import { explain } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { formatSize } from '../../words/figures.ts'
import { useAccountExport } from './account-export.ts'
import { words } from './leaving-words.ts'

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
