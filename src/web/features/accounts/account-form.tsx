/**
 * What signing in and registering have in common: checking before sending, one request at a time,
 * the failure above the fields, and going on to where the visitor wanted to be.
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
  /** What stands before the form. */
  first?: ReactNode
  /** The fields. */
  children: ReactNode
  /** What else a visitor without luck here can do. */
  otherwise: ReactNode
}

export function AccountForm({
  title,
  action,
  submit,
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
      setFailure(explain(error))
      setIsBusy(false)
    }
  }

  return (
    <WayIn title={title}>
      {first}
      <form noValidate onSubmit={(event) => void send(event)} className="mt-6 grid gap-4">
        <Failure text={failure} />
        {children}
        <Button type="submit" look="lit" size="big" isBusy={isBusy} className="mt-1">
          {action}
        </Button>
      </form>
      <div className="mt-5 text-ink-2">{otherwise}</div>
    </WayIn>
  )
}

/** What every way in has around it: its name, and at the foot the language for whoever has no account yet. */
export function WayIn({ title, children }: { title: string; children: ReactNode }) {
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

/** The address of the other form, which leads on to the same place. */
export function useFormAddress(path: '/login' | '/register'): string {
  const search = useSearch()
  return search === '' ? path : `${path}?${search}`
}

/**
 * Leads whoever is signed in already, perhaps in another tab, to where they wanted to be, and gives
 * the way there for who has just signed in. It is a full load: the target may be a page that the server makes.
 */
export function useArrival(): () => void {
  const { data: user } = useCurrentUser()
  const isSignedIn = user !== undefined && user !== null
  const wanted = safeRedirect(new URLSearchParams(useSearch()).get('redirect') ?? undefined)
  // The front page would only lead on from there, after it was shown.
  const target = wanted === '/' ? '/library' : wanted
  useEffect(() => {
    if (isSignedIn) window.location.replace(target)
  }, [isSignedIn, target])
  return () => {
    announceSignInChange()
    window.location.replace(target)
  }
}
