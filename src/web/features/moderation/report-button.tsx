/** The way to report something, for anyone who sees it. The dialog is loaded when it is wanted. */
import { Flag } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { lazyPart } from '../../parts.ts'
import { Button } from '../../ui/button.tsx'
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

/** For an entry of a menu: what opens the dialog, and the dialog to be put beside the menu. */
export function useReport(target: ReportTarget): { open: () => void; dialog: ReactNode } {
  const [isOpen, setIsOpen] = useState(false)
  return {
    open: () => setIsOpen(true),
    dialog: isOpen && (
      <Suspense>
        <ReportDialog target={target} onClose={() => setIsOpen(false)} />
      </Suspense>
    ),
  }
}
