/** More methods to share a link: a QR code, and a player to embed in other sites. */
import { CodeXml, QrCode as QrIcon } from 'lucide-react'
import { type ReactNode, Suspense, useId, useState } from 'react'
import { lazyPart } from '../../parts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import type { Session } from '../sessions/session-data.ts'
import type { Share } from './share-change.ts'
import { words } from './share-words.ts'

const QrCode = lazyPart(async () => (await import('../../ui/qr-code.tsx')).QrCode)

type Method = 'qr' | 'embed'

export function MoreSharing({ session, share }: { session: Session; share: Share }) {
  const [open, setOpen] = useState<Method | null>(null)
  const panel = useId()
  const choose = (method: Method) => setOpen(open === method ? null : method)
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        <Choice isOpen={open === 'qr'} panel={panel} onClick={() => choose('qr')} icon={qrIcon}>
          {words.qrCode}
        </Choice>
        <Choice
          isOpen={open === 'embed'}
          panel={panel}
          onClick={() => choose('embed')}
          icon={embedIcon}
        >
          {words.embed}
        </Choice>
      </div>
      <div id={panel} className="empty:hidden">
        {open === 'qr' && (
          <Suspense fallback={<Drawing />}>
            <QrCode
              text={share.shareUrl}
              label={words.qrCodeOf({ title: session.title })}
              fileName={`link-${share.shareCode.slice(0, 8)}`}
            />
          </Suspense>
        )}
        {open === 'embed' && <Embed session={session} share={share} />}
      </div>
    </div>
  )
}

const qrIcon = <QrIcon size={16} aria-hidden="true" />
const embedIcon = <CodeXml size={16} aria-hidden="true" />

function Choice({
  isOpen,
  panel,
  ...button
}: {
  isOpen: boolean
  panel: string
  icon: ReactNode
  onClick: () => void
  children: string
}) {
  return (
    <Button look="line" size="small" aria-expanded={isOpen} aria-controls={panel} {...button} />
  )
}

function Drawing() {
  return (
    <Waiting label={words.drawingCode}>
      <Skeleton className="mx-auto aspect-square w-full max-w-56" />
    </Waiting>
  )
}

/** Other sites may embed only sessions that play for anyone, without a password or an age check. */
function Embed({ session, share }: { session: Session; share: Share }) {
  const canBeEmbedded = share.access === 'anyone' && !share.hasPassword && !session.nsfw
  if (!canBeEmbedded) return <p className="text-sm text-ink-2">{words.embedOnlyOpen}</p>
  return (
    <div className="grid gap-2">
      <p className="text-sm text-ink-2">{words.embedHow}</p>
      <CopyField
        label={words.embedCode}
        copyLabel={words.copyCode}
        text={frameCode(session, share)}
      />
    </div>
  )
}

function frameCode({ title }: Session, { shareUrl, shareCode }: Share): string {
  const frame = document.createElement('iframe')
  frame.setAttribute('src', new URL(`/embed/${shareCode}`, shareUrl).href)
  frame.setAttribute('title', title)
  frame.setAttribute('width', '800')
  frame.setAttribute('height', '450')
  frame.setAttribute('allow', 'fullscreen')
  frame.setAttribute('loading', 'lazy')
  frame.setAttribute('frameborder', '0')
  return frame.outerHTML
}
