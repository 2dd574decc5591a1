/** How others come into a room: its code, a QR code of its link, and how many are there. */
import { CopyField } from '../../ui/copy-field.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import './rooms.css'
import { words } from './words.ts'

export function RoomShare({ code, screens }: { code: string; screens: number }) {
  const joinUrl = `${window.location.origin}/rooms/${code}`
  return (
    <div className="grid gap-4">
      <div className="grid items-center gap-4 sm:grid-cols-[auto_1fr]">
        <QrCode text={joinUrl} label={words.joinQr} fileName={`room-${code}`} />
        <div className="grid gap-2 text-center">
          <p className="text-sm text-ink-2">{words.code}</p>
          <p className="room-code" data-testid="room-code">
            {code}
          </p>
          <output className="text-sm text-ink-2">{words.screens({ count: screens })}</output>
        </div>
      </div>
      <p className="text-sm text-ink-2">
        {words.opened({ address: `${window.location.host}/tv` })}
      </p>
      <CopyField label={words.joinLink} text={joinUrl} />
    </div>
  )
}
