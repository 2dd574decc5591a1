/** Asks before an account is deleted: lists what is deleted and requires its email address. */
import { useMutation, useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { client } from '../../api.ts'
import { forgetDevice } from '../../forget.ts'
import { isValid, valuesOf } from '../../form-values.ts'
import { keys } from '../../query-keys.ts'
import { useHasCredits } from '../../site.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { formatSize } from '../../words/figures.ts'
import { useReauthentication } from '../security/reauthentication.tsx'
import { announceSignInChange, useCurrentUser } from './current-user.ts'
import { words } from './leaving-words.ts'
import { words as accountWords } from './words.ts'

type Holdings = Awaited<ReturnType<typeof client.accounts.holdings>>

export function LeaveDialog({ onClose }: { onClose: () => void }) {
  const { data: user } = useCurrentUser()
  const holdings = useQuery({
    queryKey: keys.account.holdings,
    queryFn: () => client.accounts.holdings(),
    staleTime: 0,
  })
  const reauthentication = useReauthentication()
  const leave = useMutation({
    mutationFn: async (form: HTMLFormElement) => {
      const confirm = valuesOf(form)('email')
      const proof = reauthentication.proofIn(form)
      await client.accounts.deleteAccount({ body: { confirm, ...proof } })
      await forgetDevice()
    },
    onError: reauthentication.onError,
    gcTime: 0,
    onSuccess: () => {
      announceSignInChange()
      // A full page load removes the account's data from the page's memory.
      window.location.replace('/')
    },
  })
  if (!user) return null
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (isValid(form)) leave.mutate(form)
  }
  return (
    <Dialog title={words.askLeave} onClose={onClose}>
      <form noValidate onSubmit={send} className="grid gap-4">
        <p className="text-ink-2">{words.leaveTakes}</p>
        {holdings.isPending && (
          <Waiting label={words.leaveCounting}>
            <Skeleton className="h-32" />
          </Waiting>
        )}
        {holdings.data && <Taken holdings={holdings.data} />}
        <p className="text-sm text-ink-2">{words.copiesStay}</p>
        <Field
          label={words.confirmEmail({ email: user.email })}
          name="email"
          type="email"
          autoComplete="off"
          required
          complaint={accountWords.enterYourEmail}
        />
        {reauthentication.field}
        <Failure text={reauthentication.explain(leave.error)} />
        <DialogActions>
          <Button look="bare" onClick={onClose}>
            {words.stay}
          </Button>
          <Button type="submit" look="danger" isBusy={leave.isPending || leave.isSuccess}>
            {words.leaveStart}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function Taken({ holdings }: { holdings: Holdings }) {
  const hasCredits = useHasCredits()
  const { sessions, files, fileBytes, published, links, credits } = holdings
  return (
    <ul className="list-disc ps-5 marker:text-ink-3">
      <li>{words.sessions({ count: sessions })}</li>
      <li>{words.files({ count: files, bytes: formatSize(fileBytes) })}</li>
      {published > 0 && <li>{words.published({ count: published })}</li>}
      {links > 0 && <li>{words.links({ count: links })}</li>}
      {hasCredits && <li>{words.credits({ count: credits })}</li>}
      <li>{words.profile}</li>
    </ul>
  )
}
