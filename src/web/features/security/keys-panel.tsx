/** API keys for programs: created with scopes, shown once, and revoked. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../api.ts'
import { lazyPart } from '../../parts.ts'
import { keys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CannotShow } from '../../ui/failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { DialogPart } from '../../ui/dialog-part.tsx'
import { formatMoment } from '../../words/figures.ts'
import { SignInMethodRow } from './sign-in-method-row.tsx'
import { words } from './sign-in-method-words.ts'

const MakeKeyDialog = lazyPart(async () => (await import('./make-key-dialog.tsx')).MakeKeyDialog)

type ApiKey = Awaited<ReturnType<typeof client.keys.list>>[number]

export function KeysPanel() {
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: keys.account.keys })
  const list = useQuery({
    queryKey: keys.account.keys,
    queryFn: () => client.keys.list(),
    staleTime: 0,
  })
  const [asked, setAsked] = useState<'new' | ApiKey | null>(null)
  const close = () => setAsked(null)
  return (
    <Panel title={words.keys}>
      <p className="mb-4 text-sm text-ink-2">{words.keysHelp}</p>
      {list.isPending && (
        <Waiting label={words.keysLoading}>
          <Skeleton className="h-12" />
        </Waiting>
      )}
      {list.isError && <CannotShow error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && list.data.length > 0 && (
        <ul className="mb-2">
          {list.data.map((key) => (
            <KeyRow key={key.id} apiKey={key} onRevoke={() => setAsked(key)} />
          ))}
        </ul>
      )}
      <Button look="line" onClick={() => setAsked('new')}>
        {words.makeKey}
      </Button>
      <DialogPart>
        {asked === 'new' && <MakeKeyDialog onMade={refresh} onClose={close} />}
        {asked !== null && asked !== 'new' && (
          <ConfirmDialog
            question={words.askRevoke({ name: asked.name })}
            consequence={words.revokeConsequence}
            keep={words.keepIt}
            action={words.revoke}
            run={async () => {
              await client.keys.remove({ params: { id: asked.id } })
              showToast({ text: words.keyRevoked })
              await refresh()
            }}
            onClose={close}
          />
        )}
      </DialogPart>
    </Panel>
  )
}

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const { name, prefix, scopes, createdAt, lastUsedAt, expiresAt } = apiKey
  const used = lastUsedAt === null ? words.neverUsed : words.lastUsed(at(lastUsedAt))
  const end = expiresAt === null ? null : endOf(expiresAt)
  return (
    <SignInMethodRow
      name={name}
      mark={`${prefix}…`}
      facts={[
        scopes.map((scope) => words.scopeNames[scope]).join(' · '),
        [words.added(at(createdAt)), used, end].filter((fact) => fact !== null).join(' · '),
      ]}
      actions={
        <Button
          look="line"
          size="small"
          aria-label={words.revokeKeyOf({ name })}
          onClick={onRevoke}
        >
          {words.revoke}
        </Button>
      }
    />
  )
}

function at(time: string) {
  return { time: formatMoment(new Date(time)) }
}

function endOf(expiresAt: string): string {
  const isOver = new Date(expiresAt).getTime() <= Date.now()
  return isOver ? words.endedAt(at(expiresAt)) : words.endsAt(at(expiresAt))
}
