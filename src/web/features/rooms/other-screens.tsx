/** From the player: opens a room for what is playing, and shows others the way into it. */
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { client, explain, fetchCurrentUser, statusOf } from '../../api.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { RoomShare } from './room-share.tsx'
import { useRoom } from './use-room.ts'
import { words } from './words.ts'

/** The rooms that were opened here, by account and session: asking twice does not open two. */
const openedHere = new Map<string, string>()

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
    mutationFn: async () => {
      // Asked anew: somebody else may have signed in, who could not lead the room of the one before.
      const user = await fetchCurrentUser()
      const place = `${user?.id} ${sessionId}`
      const found = await findOpened(place)
      if (found !== null) return found
      const { room } = await client.rooms.open({ body: { sessionId }, headers: { ...headers } })
      openedHere.set(place, room.code)
      return room.code
    },
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

async function findOpened(place: string): Promise<string | null> {
  const code = openedHere.get(place)
  if (code === undefined) return null
  try {
    return (await client.rooms.read({ params: { code } })).room.code
  } catch (error) {
    if (statusOf(error) === 404) return null
    throw error
  }
}
