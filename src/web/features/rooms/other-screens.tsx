/** From the player: opens a room for what is playing, and shows others the way into it. */
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { explain } from '../../api.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { roomClient } from './room-client.ts'
import { RoomShare } from './room-share.tsx'
import { useRoom } from './use-room.ts'
import { words } from './words.ts'

export function OtherScreens({
  sessionId,
  headers,
  close,
}: {
  sessionId: number
  /** Those that open the session, where it came by a link. */
  headers: Readonly<Record<string, string>>
  close: () => void
}) {
  const { mutate, data, error } = useMutation({
    mutationFn: () => roomClient.rooms.open({ body: { sessionId }, headers }),
  })
  useEffect(() => mutate(), [mutate])
  return (
    <Dialog title={words.otherScreens} onClose={close} theme="dark">
      {error !== null && <p role="alert">{explain(error)}</p>}
      {error === null && !data && <output>{words.opening}</output>}
      {data && <Opened code={data.room.code} />}
    </Dialog>
  )
}

function Opened({ code }: { code: string }) {
  const { view } = useRoom(code)
  return (
    <div className="grid gap-4">
      {/* This page listens too, and is no screen that plays. */}
      <RoomShare code={code} screens={Math.max(0, view.screens - 1)} />
      <ButtonLink href={`/rooms/${code}/host`} look="lit" size="big">
        {words.toControls}
      </ButtonLink>
    </div>
  )
}
