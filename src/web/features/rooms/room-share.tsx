/** Shows how to join a room: its code, a QR code of its link, and the number of devices. */
import { CopyField } from '../../ui/copy-field.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import type { RoomView } from './room-connection.ts'
import { othersIn } from './room-connection.ts'
import { RoomCode } from './room-code.tsx'
import { words } from './words.ts'

export function RoomShare({ code, view }: { code: string; view: RoomView }) {
  const joinUrl = joinUrlOf(code)
  return (
    <div className="grid gap-4">
      <div className="grid items-center gap-4 sm:grid-cols-[auto_1fr]">
        <QrCode text={joinUrl} label={words.joinQr} />
        <div className="grid gap-2 text-center">
          <p className="text-sm text-ink-2">{words.code}</p>
          <RoomCode code={code} />
          <output className="text-sm text-ink-2">{words.others({ count: othersIn(view) })}</output>
        </div>
      </div>
      <p className="text-sm text-ink-2">
        {words.opened({ address: `${window.location.host}/tv` })}
      </p>
      <CopyField label={words.joinLink} text={joinUrl} />
    </div>
  )
}

/** Returns the address for guests. */
export function joinUrlOf(code: string): string {
  return `${window.location.origin}/rooms/${code}`
}
