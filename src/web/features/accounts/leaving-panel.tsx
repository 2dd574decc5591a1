/** The panel that leads to the deletion of the account. */
import { useState } from 'react'
import { lazyPart } from '../../parts.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { DialogPart } from '../../ui/dialog-part.tsx'
import { words } from './leaving-words.ts'

const LeaveDialog = lazyPart(async () => (await import('./leave-dialog.tsx')).LeaveDialog)

export function LeavePanel() {
  const [isAsked, setIsAsked] = useState(false)
  return (
    <Panel title={words.leave}>
      <p className="text-sm text-ink-2">{words.leaveHelp}</p>
      <Button look="line" className="mt-4" onClick={() => setIsAsked(true)}>
        {words.leaveStart}
      </Button>
      {isAsked && (
        <DialogPart>
          <LeaveDialog onClose={() => setIsAsked(false)} />
        </DialogPart>
      )}
    </Panel>
  )
}
