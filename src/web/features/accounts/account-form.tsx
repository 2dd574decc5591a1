/**
 * The parts that signing in and registering share: validation before the request, one request at a time, the
 * failure above the fields, and the redirect to the page that the visitor wanted.
 */
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import { useSearch } from 'wouter'
import { safeRedirect } from '../../../contract/redirect.ts'
import { explain } from '../../api.ts'
import { isValid, valuesOf } from '../../form-values.ts'
import { LanguageMenu } from '../../frame/language-menu.tsx'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { announceSignInChange, useCurrentUser } from './current-user.ts'

type AccountFormProps = {
  title: string
  action: string
  /** The request that signs the visitor in. */
  submit: (valueOf: (fieldName: string) => string) => Promise<unknown>
  explainFailure?: (error: unknown) => string
  /** Content before the form. */
  first?: ReactNode
  children: ReactNode
  /** Links for a visitor who cannot continue here. */
  otherwise: ReactNode
}

export function AccountForm({
  title,
  action,
  submit,
  explainFailure = explain,
  first,
  children,
  otherwise,
}: AccountFormProps) {
  const arrive = useArrival()
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (isBusy || !isValid(form)) return
    setFailure(null)
    setIsBusy(true)
    try {
      await submit(valuesOf(form))
      arrive()
    } catch (error) {
      setFailure(explainFailure(error))
      setIsBusy(false)
    }
  }

  return (
    <SignInLayout title={title}>
      {first}
      <form noValidate onSubmit={(event) => void send(event)} className="mt-6 grid gap-4">
        <Failure text={failure} />
        {children}
        <Button type="submit" look="lit" size="big" isBusy={isBusy} className="mt-1">
          {action}
        </Button>
      </form>
      <div className="mt-5 text-ink-2">{otherwise}</div>
    </SignInLayout>
  )
}

/**
 * The frame of every sign-in page: its title, and below it the language menu for visitors without an account.
 */
export function SignInLayout({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mx-auto w-full max-w-[25rem] py-6 sm:my-auto">
      <h1 className="text-2xl leading-tight font-semibold tracking-[-0.015em]">{title}</h1>
      {children}
      <div className="mt-8 empty:hidden">
        <LanguageMenu align="start" />
      </div>
    </div>
  )
}

/** Returns the address of the other form, with the same redirect. */
export function useFormAddress(path: '/login' | '/register'): string {
  const search = useSearch()
  return search === '' ? path : `${path}?${search}`
}

/**
 * Redirects a visitor who is already signed in, perhaps in another tab, to the page that they wanted. Returns
 * a function that does the same after a sign-in. It is a full page load: the server may render the target.
 */
export function useArrival(): () => void {
  const { data: user } = useCurrentUser()
  const isSignedIn = user !== undefined && user !== null
  const wanted = safeRedirect(new URLSearchParams(useSearch()).get('redirect') ?? undefined)
  // The front page would only redirect to the library, after it was visible for a moment.
  const target = wanted === '/' ? '/library' : wanted
  useEffect(() => {
    if (isSignedIn) window.location.replace(target)
  }, [isSignedIn, target])
  return () => {
    announceSignInChange()
    window.location.replace(target)
  }
}
