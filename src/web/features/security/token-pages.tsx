/** The pages around a mail: asking for one, and what its links lead to. */
import { useState } from 'react'
import { useSearch } from 'wouter'
import { Field } from '../../ui/field.tsx'
import { NewPasswordField } from './current-password-field.tsx'
import { securityClient } from './security-client.ts'
import { TokenForm } from './token-form.tsx'
import { words } from './words.ts'

export function ForgotPasswordPage() {
  return (
    <TokenForm
      title={words.forgot}
      help={words.forgotHelp}
      action={words.sendLink}
      submit={(valueOf) =>
        securityClient.security.forgotPassword({ body: { email: valueOf('email') } })
      }
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
        securityClient.security.resetPassword({
          body: { token, newPassword: valueOf('newPassword') },
        })
      }
      done={() => ({
        title: words.resetDone,
        reason: words.resetDoneReason,
        on: { href: '/login', label: words.signIn },
      })}
    >
      <NewPasswordField />
    </TokenForm>
  )
}

/** Pressed, and not by opening alone: some programs open every link of a mail before its reader does. */
export function ConfirmEmailPage() {
  const token = useToken()
  return (
    <TokenForm
      title={words.confirmTitle}
      help={words.confirmHelp}
      action={words.confirm}
      submit={() => securityClient.security.confirmEmail({ body: { token } })}
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
