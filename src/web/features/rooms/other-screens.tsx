/** Opens a room for the playing session from the player, and shows others how to join. */
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { client, explain, fetchCurrentUser, statusOf } from '../../api.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { RoomShare } from './room-share.tsx'
import { useRoom } from './use-room.ts'
import { words } from './words.ts'

/**
 * The rooms opened by this page, by user and session, so that opening the dialog twice does not open two
 * rooms.
 */
const openedHere = new Map<string, string>()

export function OtherScreens({
  sessionId,
  headers,
  close,
}: {
  sessionId: number
  /** Headers that grant access to a session opened by a share link. */
  headers: Readonly<Record<string, string>>
  close: () => void
}) {
  const { mutate, data, error } = useMutation({
    mutationFn: async () => {
      // Ask the server: another user may have signed in, who cannot lead the previous user's room.
      const user = await fetchCurrentUser()
      const key = `${user?.id} ${sessionId}`
      const found = await findOpened(key)
      if (found !== null) return found
      const { room } = await client.rooms.open({ body: { sessionId }, headers: { ...headers } })
      openedHere.set(key, room.code)
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

async function findOpened(key: string): Promise<string | null> {
  const code = openedHere.get(key)
  if (code === undefined) return null
  try {
    return (await client.rooms.read({ params: { code } })).room.code
  } catch (error) {
    if (statusOf(error) === 404) return null
    throw error
  }
}
