/** From the player: opens a room for what is playing, and shows others the way into it. */
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { explain, statusOf } from '../../api.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { roomClient } from './room-client.ts'
import { RoomShare } from './room-share.tsx'
import { useRoom } from './use-room.ts'
import { words } from './words.ts'

/** The rooms that this page has opened, by session: asking twice does not open two. */
const openedHere = new Map<number, string>()

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
    mutationFn: async () => (await findOpened(sessionId)) ?? openAnother(sessionId, headers),
  })
  useEffect(() => mutate(), [mutate])
  return (
    <Dialog title={words.otherScreens} onClose={close} theme="dark">
      {error !== null && <p role="alert">{explain(error)}</p>}
      {error === null && data === undefined && <output>{words.opening}</output>}
      {data !== undefined && <Opened code={data} />}
    </Dialog>
  )
}

function Opened({ code }: { code: string }) {
  const { view } = useRoom(code)
  return (
    <div className="grid gap-4">
      <RoomShare code={code} view={view} />
      <ButtonLink href={`/rooms/${code}/host`} look="lit" size="big">
        {words.toControls}
      </ButtonLink>
    </div>
  )
}

async function findOpened(sessionId: number): Promise<string | null> {
  const code = openedHere.get(sessionId)
  if (code === undefined) return null
  try {
    return (await roomClient.rooms.read({ params: { code } })).room.code
  } catch (error) {
    if (statusOf(error) === 404) return null
    throw error
  }
}

async function openAnother(
  sessionId: number,
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  const { room } = await roomClient.rooms.open({ body: { sessionId }, headers: { ...headers } })
  openedHere.set(sessionId, room.code)
  return room.code
}
