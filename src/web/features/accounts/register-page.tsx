/** The page on which a visitor creates a local account, if registration is open. */
import { Link } from 'wouter'
import { client } from '../../api.ts'
import { usePageTitle } from '../../page-title.ts'
import { useSite } from '../../site.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { words as uiWords } from '../../ui/words.ts'
import { sentence } from '../../words/sentence.ts'
import { AccountForm, useFormAddress } from './account-form.tsx'
import { words } from './words.ts'

export function RegisterPage() {
  usePageTitle(words.createAnAccount)
  const signInAddress = useFormAddress('/login')
  if (useSite()?.registration === 'closed')
    return (
      <div className="m-auto grid max-w-[26rem] justify-items-center gap-3 text-center">
        <h1 className="show-voice text-2xl">{words.registrationClosed}</h1>
        <p className="text-balance text-ink-2">{words.registrationClosedReason}</p>
        <ButtonLink href={signInAddress} look="lit" size="big" className="mt-3">
          {words.signIn}
        </ButtonLink>
      </div>
    )
  return (
    <AccountForm
      title={words.createAnAccount}
      action={uiWords.createAccount}
      submit={registerFrom}
      otherwise={sentence(words.alreadyHaveOne, {
        signIn: (
          <Link href={signInAddress} className="text-link">
            {words.signIn}
          </Link>
        ),
      })}
    >
      <Field
        label={words.firstNameOptional}
        name="firstName"
        autoComplete="given-name"
        maxLength={100}
        complaint={words.nameTooLong}
      />
      <Field
        label={words.email}
        name="email"
        type="email"
        autoComplete="username"
        maxLength={254}
        required
        complaint={words.enterAnEmail}
      />
      <Field
        label={words.password}
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={10}
        maxLength={200}
        required
        help={words.passwordHelp}
        complaint={words.chooseAPassword}
      />
    </AccountForm>
  )
}

function registerFrom(valueOf: (fieldName: string) => string) {
  const firstName = valueOf('firstName').trim()
  return client.accounts.register({
    body: {
      email: valueOf('email'),
      password: valueOf('password'),
      ...(firstName === '' ? {} : { firstName }),
    },
  })
}
