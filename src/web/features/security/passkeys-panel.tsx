/** The passkeys of the account: add, rename, remove. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { useSite } from '../../site.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CannotShow } from '../../ui/failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { formatMoment } from '../../words/figures.ts'
import { NameDialog } from './name-dialog.tsx'
import { makePasskey, PasskeyNotMade } from './passkey-browser.ts'
import { SignInMethodRow } from './sign-in-method-row.tsx'
import { words } from './sign-in-method-words.ts'

type Passkey = Awaited<ReturnType<typeof client.passkeys.list>>[number]
type Asked = { readonly what: 'add' } | { readonly what: 'rename' | 'remove'; passkey: Passkey }

export function PasskeysPanel() {
  const site = useSite()
  const list = useQuery({
    queryKey: keys.account.passkeys,
    queryFn: () => client.passkeys.list(),
    staleTime: 0,
  })
  const [asked, setAsked] = useState<Asked | null>(null)
  const isOffered = site?.signIn.includes('passkey') === true
  if (!isOffered && (list.data ?? []).length === 0) return null
  return (
    <Panel title={words.passkeys}>
      <p className="mb-4 text-sm text-ink-2">{words.passkeysHelp}</p>
      {list.isPending && (
        <Waiting label={words.passkeysLoading}>
          <Skeleton className="h-12" />
        </Waiting>
      )}
      {list.isError && <CannotShow error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && list.data.length > 0 && (
        <ul className="mb-2">
          {list.data.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onAsk={(what) => setAsked({ what, passkey })}
            />
          ))}
        </ul>
      )}
      {isOffered && (
        <Button look="line" onClick={() => setAsked({ what: 'add' })}>
          {words.addPasskey}
        </Button>
      )}
      {asked && <PasskeyQuestion asked={asked} onClose={() => setAsked(null)} />}
    </Panel>
  )
}

function PasskeyRow({
  passkey: { name, createdAt, lastUsedAt },
  onAsk,
}: {
  passkey: Passkey
  onAsk: (what: 'rename' | 'remove') => void
}) {
  const added = words.added({ time: formatMoment(new Date(createdAt)) })
  const used =
    lastUsedAt === null
      ? words.neverUsed
      : words.lastUsed({ time: formatMoment(new Date(lastUsedAt)) })
  return (
    <SignInMethodRow
      name={name}
      facts={[`${added} · ${used}`]}
      actions={
        <>
          <Button
            look="line"
            size="small"
            aria-label={words.renamePasskeyOf({ name })}
            onClick={() => onAsk('rename')}
          >
            {words.renamePasskey}
          </Button>
          <Button
            look="line"
            size="small"
            aria-label={words.removePasskeyOf({ name })}
            onClick={() => onAsk('remove')}
          >
            {words.removePasskey}
          </Button>
        </>
      }
    />
  )
}

function PasskeyQuestion({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: keys.account.passkeys })
  if (asked.what === 'add')
    return (
      <NameDialog
        title={words.addPasskey}
        action={words.addPasskey}
        help={words.passkeyNameHelp}
        whileBusy={words.addingPasskey}
        run={async (name, proof) => {
          await makePasskey(name, proof)
          showToast({ text: words.passkeyAdded })
          await refresh()
        }}
        explain={(error) => (error instanceof PasskeyNotMade ? words.passkeyNotMade : null)}
        onClose={onClose}
      />
    )
  const { id, name } = asked.passkey
  if (asked.what === 'rename')
    return (
      <NameDialog
        title={words.renamePasskeyOf({ name })}
        action={words.save}
        initial={name}
        run={async (name) => {
          await client.passkeys.rename({ params: { id }, body: { name } })
          await refresh()
        }}
        onClose={onClose}
      />
    )
  return (
    <ConfirmDialog
      question={words.askRemovePasskey({ name })}
      consequence={words.removePasskeyConsequence}
      keep={words.keepIt}
      action={words.removePasskey}
      run={async () => {
        await client.passkeys.remove({ params: { id } })
        showToast({ text: words.passkeyRemoved })
        await refresh()
      }}
      onClose={onClose}
    />
  )
}
