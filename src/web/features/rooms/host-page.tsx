/** The host's page of a room: its controls, the ways to join, and the phones that control it. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useParams } from 'wouter'
import { client, statusOf } from '../../api.ts'
import { NotFoundPage } from '../../not-found-page.tsx'
import { usePageTitle } from '../../page-title.ts'
import { keys } from '../../query-keys.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { Skeleton, PageWaiting } from '../../ui/skeleton.tsx'
import { formatTime } from '../../words/figures.ts'
import { Controls } from './controls.tsx'
import { leadBy } from './lead-room.ts'
import { codeGroups } from './room-code.tsx'
import { OverNote } from './room-notes.tsx'
import { RoomShare } from './room-share.tsx'
import { useRoom } from './use-room.ts'
import { words } from './words.ts'

export function HostPage() {
  const { code: given = '' } = useParams()
  const code = given.toUpperCase()
  const { connection, view } = useRoom(code)
  const remotes = useQuery({
    queryKey: keys.rooms.remotes(code),
    queryFn: () => client.rooms.listRemotes({ params: { code } }),
    // A response that refuses is final; only a network failure is retried.
    retry: (_, error) => statusOf(error) === null,
  })
  const { refetch } = remotes
  usePageTitle(view.room?.session.title ?? words.title({ code: codeGroups(code).join(' ') }))
  const lead = useMemo(
    () => leadBy(connection, { onRefused: () => void refetch() }),
    [connection, refetch],
  )
  if (view.over)
    return (
      <div className="grid justify-items-center gap-4 py-12 text-center">
        <OverNote over={view.over} />
        <ButtonLink href="/library" size="big">
          {words.toSessions}
        </ButtonLink>
      </div>
    )
  if (statusOf(remotes.error) !== null) return <NotFoundPage />
  if (!view.room || !remotes.data)
    return (
      <PageWaiting label={words.connecting}>
        <Skeleton className="h-64" />
      </PageWaiting>
    )
  return (
    <>
      <h1 className="show-voice mb-5 text-2xl leading-tight font-[500] break-words">
        <bdi>{view.room.session.title}</bdi>
      </h1>
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Panel title={words.controls}>
          <Controls connection={connection} view={view} lead={lead} />
        </Panel>
        <div className="grid gap-5">
          <Panel title={words.otherScreens}>
            <RoomShare code={code} view={view} />
          </Panel>
          <Panel title={words.phones}>
            <Phones code={code} remotes={remotes.data} />
          </Panel>
          <EndRoom end={() => lead({ command: 'end' })} />
        </div>
      </div>
    </>
  )
}

function EndRoom({ end }: { end: () => void }) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Button look="danger" onClick={() => setIsAsking(true)}>
        {words.end}
      </Button>
      {isAsking && (
        <ConfirmDialog
          question={words.endQuestion}
          consequence={words.endConsequence}
          keep={words.keepOpen}
          action={words.end}
          run={async () => end()}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  )
}

type Remote = Awaited<ReturnType<typeof client.rooms.listRemotes>>[number]

function Phones({ code, remotes }: { code: string; remotes: readonly Remote[] }) {
  const queryClient = useQueryClient()
  const renew = () => queryClient.invalidateQueries({ queryKey: keys.rooms.remotes(code) })
  const adding = useMutation({
    mutationFn: () => client.rooms.addRemote({ params: { code } }),
    onSuccess: renew,
  })
  const removing = useMutation({
    mutationFn: (id: number) => client.rooms.removeRemote({ params: { code, id: String(id) } }),
    onSuccess: renew,
  })
  return (
    <div className="grid gap-4">
      <p className="text-sm text-ink-2">{words.phonesHint}</p>
      {adding.data && (
        <>
          <QrCode text={adding.data.remoteUrl} label={words.phoneQr} />
          <CopyField label={words.phoneLink} text={adding.data.remoteUrl} />
        </>
      )}
      <Button isBusy={adding.isPending} onClick={() => adding.mutate()}>
        {words.addPhone}
      </Button>
      <ul className="grid gap-2 empty:hidden">
        {remotes.map(({ id, createdAt }) => {
          const time = formatTime(new Date(createdAt))
          return (
            <li key={id} className="flex items-center justify-between gap-3 text-sm">
              {words.phone({ time })}
              <Button
                size="small"
                look="line"
                aria-label={words.removePhoneOf({ time })}
                onClick={() => removing.mutate(id)}
              >
                {words.removePhone}
              </Button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
