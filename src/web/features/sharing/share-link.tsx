/** A share link, with a button to copy it and, if the device can, to send it. */
import { Send } from 'lucide-react'
import { useHasCredits } from '../../site.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { words } from './share-words.ts'

export function ShareLink({ url, title }: { url: string; title: string }) {
  const hasCredits = useHasCredits()
  const canHandOn = typeof navigator.share === 'function'
  async function handOn() {
    try {
      await navigator.share({ title, url })
    } catch {
      // The user closed the dialog.
    }
  }
  return (
    <div className="grid gap-2">
      <CopyField label={words.link} text={url} />
      {hasCredits && <p className="text-xs text-ink-3">{words.carriesInvitation}</p>}
      {canHandOn && (
        <Button
          look="line"
          icon={<Send size={18} aria-hidden="true" />}
          onClick={() => void handOn()}
        >
          {words.sendIt}
        </Button>
      )}
    </div>
  )
}
