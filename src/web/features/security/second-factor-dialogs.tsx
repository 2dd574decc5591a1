/** The dialogs that set up the second factor (secret, first code, recovery codes) and turn it off. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, Suspense, useState } from 'react'
import { client, explain } from '../../api.ts'
import { isValid, valuesOf } from '../../form-values.ts'
import { lazyPart } from '../../parts.ts'
import { keys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { useCopying } from '../../ui/copying.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { CannotShow, Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useRefreshUser } from '../accounts/current-user.ts'
import { CurrentPasswordField } from './current-password-field.tsx'
import { explainChange, needsRecentSignIn } from './explain-change.ts'
import { type Proof, useReauthentication } from './reauthentication.tsx'
import { words } from './sign-in-method-words.ts'

const QrCode = lazyPart(async () => (await import('../../ui/qr-code.tsx')).QrCode)

const firstTry = { attempt: 0, proof: {} }

export function SetUpDialog({ onClose }: { onClose: () => void }) {
  const refreshUser = useRefreshUser()
  const reauthentication = useReauthentication()
  const [{ attempt, proof }, setTry] = useState<{ attempt: number; proof: Proof }>(firstTry)
  const begun = useQuery({
    queryKey: keys.account.secondFactor(attempt),
    queryFn: () =>
      client.secondFactor.begin({ body: proof }).catch((error: unknown) => {
        reauthentication.onError(error)
        throw error
      }),
    // Each request creates a new secret, so fetch one and drop it with the dialog.
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  const confirm = useMutation({
    mutationFn: (code: string) => client.secondFactor.confirm({ body: { code } }),
    gcTime: 0,
  })
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (!confirm.isPending && isValid(form)) confirm.mutate(valuesOf(form)('code'))
  }
  // Refresh the user after the dialog has closed: the panel behind would remove the codes.
  const leave = () => {
    onClose()
    if (confirm.isSuccess) void refreshUser()
  }
  if (confirm.isSuccess)
    return (
      <Dialog title={words.recoveryCodes} onClose={leave}>
        <RecoveryCodes codes={confirm.data.recoveryCodes} onDone={leave} />
      </Dialog>
    )
  if (reauthentication.field && !begun.isSuccess)
    return (
      <PasswordDialog
        reauthentication={reauthentication}
        error={begun.error}
        isBusy={begun.isFetching}
        onProof={(proof) => setTry({ attempt: attempt + 1, proof })}
        onClose={onClose}
      />
    )
  return (
    <Dialog title={words.setUp} step="code" onClose={leave}>
      <form noValidate onSubmit={send} className="grid gap-4">
        <p className="text-ink-2">{words.scan}</p>
        {begun.isPending && <Drawing />}
        {begun.isError &&
          (needsRecentSignIn(begun.error) ? (
            <Failure text={reauthentication.explain(begun.error)} />
          ) : (
            <CannotShow error={begun.error} onRetry={() => void begun.refetch()} />
          ))}
        {begun.isSuccess && (
          <>
            <Suspense fallback={<Drawing />}>
              <QrCode text={begun.data.uri} label={words.secretCode} />
            </Suspense>
            <CopyField label={words.secret} copyLabel={words.copySecret} text={begun.data.secret} />
          </>
        )}
        <Field
          label={words.appCode}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="\s*\d{3}\s*\d{3}\s*"
          required
          complaint={words.enterAppCode}
        />
        <Failure text={confirm.error && explain(confirm.error)} />
        <DialogActions>
          <Button look="bare" onClick={leave}>
            {words.cancel}
          </Button>
          <Button type="submit" look="lit" isBusy={confirm.isPending}>
            {words.turnOn}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Asks for the password before the secret is shown, if the sign-in is not recent. */
function PasswordDialog({
  reauthentication,
  error,
  isBusy,
  onProof,
  onClose,
}: {
  reauthentication: ReturnType<typeof useReauthentication>
  error: unknown
  isBusy: boolean
  onProof: (proof: Proof) => void
  onClose: () => void
}) {
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (!isBusy && isValid(form)) onProof(reauthentication.proofIn(form))
  }
  return (
    <Dialog title={words.setUp} step="password" onClose={onClose}>
      <form noValidate onSubmit={send} className="grid gap-4">
        {reauthentication.field}
        <Failure text={reauthentication.explain(error)} />
        <DialogActions>
          <Button look="bare" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" look="lit" isBusy={isBusy}>
            {words.goOn}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { isCopied, copy } = useCopying()
  return (
    <>
      <p className="text-ink-2">{words.recoveryCodesHelp}</p>
      <ul className="my-4 grid gap-x-6 gap-y-1.5 sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button look="bare" onClick={onDone}>
          {words.done}
        </Button>
        {/* It takes the focus: a second Enter must not close the only view of the codes. */}
        <Button look="lit" onClick={() => void copy(codes.join('\n'))}>
          {isCopied ? words.codesCopied : words.copyCodes}
        </Button>
      </DialogActions>
    </>
  )
}

function Drawing() {
  return (
    <Waiting label={words.drawingCode}>
      <Skeleton className="mx-auto aspect-square w-full max-w-56" />
    </Waiting>
  )
}

export function TurnOffDialog({
  hasPassword,
  onClose,
}: {
  hasPassword: boolean
  onClose: () => void
}) {
  const refreshUser = useRefreshUser()
  const turnOff = useMutation({
    mutationFn: (currentPassword: string | undefined) =>
      client.secondFactor.remove({ body: { currentPassword } }),
    onSuccess: async () => {
      onClose()
      showToast({ text: words.turnedOff })
      await refreshUser()
    },
  })
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (turnOff.isPending || !isValid(form)) return
    turnOff.mutate(hasPassword ? valuesOf(form)('currentPassword') : undefined)
  }
  return (
    <Dialog title={words.askTurnOff} onClose={onClose}>
      <form noValidate onSubmit={send} className="grid gap-4">
        <p className="text-ink-2">{words.turnOffConsequence}</p>
        {hasPassword && <CurrentPasswordField />}
        <Failure text={explainChange(turnOff.error)} />
        <DialogActions>
          <Button look="bare" onClick={onClose}>
            {words.keepIt}
          </Button>
          <Button type="submit" look="danger" isBusy={turnOff.isPending}>
            {words.turnOff}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
