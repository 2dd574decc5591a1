/** Connections to other services that fill sessions, made with a key that is not shown again. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { client, explain } from '../../api.ts'
import { isValid, valuesOf } from '../../form-values.ts'
import { keys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { CannotShow, Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { formatMoment } from '../../words/figures.ts'
import { words } from './connection-words.ts'
import { SignInMethodRow } from './sign-in-method-row.tsx'

type Connection = Awaited<ReturnType<typeof client.connections.list>>[number]

export function ConnectionsPanel() {
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: keys.account.connections })
  const list = useQuery({
    queryKey: keys.account.connections,
    queryFn: () => client.connections.list(),
    staleTime: 0,
  })
  const [asked, setAsked] = useState<'new' | Connection | null>(null)
  const close = () => setAsked(null)
  const isConnected = list.isSuccess && list.data.length > 0
  return (
    <Panel title={words.connections}>
      <p className="mb-4 text-sm text-ink-2">{words.help}</p>
      {list.isPending && (
        <Waiting label={words.loading}>
          <Skeleton className="h-12" />
        </Waiting>
      )}
      {list.isError && <CannotShow error={list.error} onRetry={() => void list.refetch()} />}
      {isConnected && (
        <ul className="mb-2">
          {list.data.map((connection) => (
            <ConnectionRow
              key={connection.id}
              connection={connection}
              onEnd={() => setAsked(connection)}
            />
          ))}
        </ul>
      )}
      {list.isSuccess && (
        <Button look="line" onClick={() => setAsked('new')}>
          {isConnected ? words.reconnect : words.connect}
        </Button>
      )}
      {asked === 'new' && <ConnectDialog onConnected={refresh} onClose={close} />}
      {asked !== null && asked !== 'new' && (
        <ConfirmDialog
          question={words.askEnd({ name: asked.name })}
          consequence={words.endConsequence}
          keep={words.keep}
          action={words.end}
          run={async () => {
            await client.connections.remove({ params: { id: asked.id } })
            showToast({ text: words.ended })
            await refresh()
          }}
          onClose={close}
        />
      )}
    </Panel>
  )
}

function ConnectionRow({ connection, onEnd }: { connection: Connection; onEnd: () => void }) {
  const { name, createdAt, lastUsedAt } = connection
  const used = lastUsedAt === null ? words.neverUsed : words.lastUsed(at(lastUsedAt))
  return (
    <SignInMethodRow
      name={name}
      mark="Immich"
      facts={[`${words.connectedAt(at(createdAt))} · ${used}`]}
      actions={
        <Button look="line" size="small" aria-label={words.endOf({ name })} onClick={onEnd}>
          {words.end}
        </Button>
      }
    />
  )
}

function ConnectDialog({
  onConnected,
  onClose,
}: {
  onConnected: () => Promise<void>
  onClose: () => void
}) {
  const connect = useMutation({
    mutationFn: async (apiKey: string) => {
      await client.connections.create({ body: { kind: 'immich', apiKey } })
      showToast({ text: words.connected })
      await onConnected()
    },
    onSuccess: onClose,
    gcTime: 0,
  })
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (!connect.isPending && isValid(form)) connect.mutate(valuesOf(form)('key').trim())
  }
  return (
    <Dialog title={words.connect} onClose={onClose}>
      <form noValidate onSubmit={send} className="grid gap-4">
        <Field
          label={words.key}
          name="key"
          type="password"
          autoComplete="off"
          spellCheck={false}
          required
          maxLength={500}
          pattern="\s*[!-~]+\s*"
          help={words.keyHelp}
          complaint={words.enterKey}
        />
        <output className="text-sm text-ink-2 empty:hidden">
          {connect.isPending && words.trying}
        </output>
        <Failure text={connect.error && explain(connect.error)} />
        <DialogActions>
          <Button look="bare" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" look="lit" isBusy={connect.isPending}>
            {words.connectNow}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function at(time: string) {
  return { time: formatMoment(new Date(time)) }
}
