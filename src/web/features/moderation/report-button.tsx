/** A button that opens the report form for any visitor. The dialog loads on demand. */
import { Flag } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { lazyPart } from '../../parts.ts'
import { Button } from '../../ui/button.tsx'
import { DialogPart } from '../../ui/dialog-part.tsx'
import type { ReportTarget } from './form/report-dialog.tsx'
import { words } from './words.ts'

const ReportDialog = lazyPart(async () => (await import('./form/report-dialog.tsx')).ReportDialog)

export function ReportButton({ target }: { target: ReportTarget }) {
  const report = useReport(target)
  return (
    <>
      <Button
        look="bare"
        size="small"
        icon={<Flag size={14} aria-hidden="true" />}
        onClick={report.open}
      >
        {words.report}
      </Button>
      {report.dialog}
    </>
  )
}

/** Returns a function that opens the dialog, for a menu entry, and the dialog, to render beside the menu. */
export function useReport(target: ReportTarget): { open: () => void; dialog: ReactNode } {
  const [isOpen, setIsOpen] = useState(false)
  return {
    open: () => setIsOpen(true),
    dialog: isOpen && (
      <DialogPart>
        <ReportDialog target={target} onClose={() => setIsOpen(false)} />
      </DialogPart>
    ),
  }
}
