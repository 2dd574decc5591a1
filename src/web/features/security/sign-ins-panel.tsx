/** The browsers in which the account is signed in, each with a button to sign it out. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client, explain } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { CannotShow, Failure } from '../../ui/failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { formatMoment } from '../../words/figures.ts'
import { nameOfSignIn, type SignIn, useSignIns } from './sign-ins.ts'
import { words } from './words.ts'

export function SignInsPanel() {
  const list = useSignIns()
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: keys.account.signIns })
  const endOthers = useMutation({
    mutationFn: () => client.security.endOtherSignIns(),
    onSuccess: async () => {
      showToast({ text: words.othersEnded })
      await refresh()
    },
  })
  const hasOthers = list.data?.some(({ isCurrent }) => !isCurrent)
  return (
    <Panel
      title={words.signIns}
      aside={
        hasOthers === true && (
          <Button
            look="line"
            size="small"
            isBusy={endOthers.isPending}
            onClick={() => endOthers.mutate()}
          >
            {words.endOthers}
          </Button>
        )
      }
    >
      <Failure text={endOthers.error && explain(endOthers.error)} />
      {list.isPending && (
        <Waiting label={words.signInsLoading}>
          <Skeleton className="h-24" />
        </Waiting>
      )}
      {list.isError && <CannotShow error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && (
        <ul>
          {list.data.map((signIn) => (
            <SignInRow key={signIn.id} signIn={signIn} onEnded={refresh} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function SignInRow({ signIn, onEnded }: { signIn: SignIn; onEnded: () => Promise<void> }) {
  const browser = nameOfSignIn(signIn)
  const end = useMutation({
    mutationFn: () => client.security.endSignIn({ params: { id: signIn.id } }),
    onSuccess: async () => {
      showToast({ text: words.signInEnded })
      await onEnded()
    },
  })
  return (
    <li className="border-t border-hairline py-3 first:border-0 first:pt-0 last:pb-0">
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-[560]">
            {browser}
            {signIn.isCurrent && (
              <span className="rounded-aperture bg-press px-1.5 py-0.5 text-xs text-ink">
                {words.thisBrowser}
              </span>
            )}
          </p>
          <p className="mt-0.5 text-sm text-ink-2">
            {words.lastSeen({ time: timeOf(signIn.lastSeenAt) })} ·{' '}
            {words.signedInAt({ time: timeOf(signIn.createdAt) })}
          </p>
          {signIn.ipAddress !== null && (
            <p className="text-sm text-ink-3">
              <bdi>{signIn.ipAddress}</bdi>
            </p>
          )}
        </div>
        {!signIn.isCurrent && (
          <Button
            look="line"
            size="small"
            isBusy={end.isPending}
            aria-label={words.endSignInOf({ browser })}
            onClick={() => end.mutate()}
          >
            {words.endSignIn}
          </Button>
        )}
      </div>
      <Failure text={end.error && explain(end.error)} />
    </li>
  )
}

function timeOf(time: string): string {
  return formatMoment(new Date(time))
}
