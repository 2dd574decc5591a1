/** The pages that request a mail, and the pages that its links open. */
import { useState } from 'react'
import { useSearch } from 'wouter'
import { client } from '../../api.ts'
import { usePageTitle } from '../../page-title.ts'
import { useSite } from '../../site.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { formatList } from '../../words/figures.ts'
import { SignInLayout } from '../accounts/account-form.tsx'
import { NewPasswordField } from './current-password-field.tsx'
import { TokenForm } from './token-form.tsx'
import { words } from './words.ts'

export function ForgotPasswordPage() {
  return useSite()?.mail === false ? <AskAdministrator /> : <ForgotPasswordForm />
}

function AskAdministrator() {
  usePageTitle(words.forgot)
  return (
    <SignInLayout title={words.forgot}>
      <p className="mt-3 text-ink-2">{words.forgotWithoutMail}</p>
      <ButtonLink href="/login" className="mt-6">
        {words.backToSignIn}
      </ButtonLink>
    </SignInLayout>
  )
}

function ForgotPasswordForm() {
  return (
    <TokenForm
      title={words.forgot}
      help={words.forgotHelp}
      action={words.sendLink}
      submit={(valueOf) => client.security.forgotPassword({ body: { email: valueOf('email') } })}
      done={() => ({
        title: words.linkSent,
        reason: words.linkSentReason,
        on: { href: '/login', label: words.backToSignIn },
      })}
    >
      <Field
        label={words.email}
        name="email"
        type="email"
        autoComplete="username"
        required
        maxLength={254}
        complaint={words.enterYourEmail}
      />
    </TokenForm>
  )
}

export function ResetPasswordPage() {
  const token = useToken()
  return (
    <TokenForm
      title={words.resetTitle}
      help={words.resetHelp}
      action={words.setPassword}
      submit={(valueOf) =>
        client.security.resetPassword({
          body: { token, newPassword: valueOf('newPassword') },
        })
      }
      done={({ removed, remaining }) => ({
        title: words.resetDone,
        reason: [
          words.resetDoneReason,
          ...methodsOf(removed).map((what) => words.resetRemoved({ what })),
          ...methodsOf(remaining).map((what) => words.resetRemaining({ what })),
        ].join(' '),
        on: { href: '/login', label: words.signIn },
      })}
    >
      <NewPasswordField />
    </TokenForm>
  )
}

type Methods = Awaited<ReturnType<typeof client.security.resetPassword>>['removed']

/** Returns one text that names the removed methods, or an empty array. */
function methodsOf({ passkeys, secondFactor }: Methods): string[] {
  const named = [
    ...(passkeys > 0 ? [words.passkeyCount({ count: passkeys })] : []),
    ...(secondFactor ? [words.secondFactor] : []),
  ]
  return named.length === 0 ? [] : [formatList(named)]
}

/** Requires a click: some mail programs open every link before the reader does. */
export function ConfirmEmailPage() {
  const token = useToken()
  return (
    <TokenForm
      title={words.confirmTitle}
      help={words.confirmHelp}
      action={words.confirm}
      submit={() => client.security.confirmEmail({ body: { token } })}
      done={({ email }) => ({
        title: words.confirmed,
        reason: words.confirmedReason({ email }),
        on: { href: '/account', label: words.goOn },
      })}
    />
  )
}

function useToken(): string {
  const search = useSearch()
  const [token] = useState(() => new URLSearchParams(search).get('token') ?? '')
  return token
}
