/** The page on which a visitor makes a local account, where the service lets visitors do so. */
import { Link } from 'wouter'
import { client } from '../../api.ts'
import { usePageTitle } from '../../page-title.ts'
import { useSite } from '../../site.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { AccountForm, useFormAddress } from './account-form.tsx'

export function RegisterPage() {
  usePageTitle('Create an account')
  const signInAddress = useFormAddress('/login')
  if (useSite()?.registration === 'closed')
    return (
      <div className="m-auto grid max-w-[26rem] justify-items-center gap-3 text-center">
        <h1 className="show-voice text-2xl">The house is full.</h1>
        <p className="text-balance text-ink-2">This site takes no new accounts at the moment.</p>
        <ButtonLink href={signInAddress} look="lit" size="big" className="mt-3">
          Sign in
        </ButtonLink>
      </div>
    )
  return (
    <AccountForm
      title="Create an account"
      action="Create account"
      submit={registerFrom}
      otherwise={
        <>
          Already have one?{' '}
          <Link href={signInAddress} className="text-link">
            Sign in
          </Link>
        </>
      }
    >
      <Field
        label="First name (optional)"
        name="firstName"
        autoComplete="given-name"
        maxLength={100}
        complaint="A name has at most 100 characters."
      />
      <Field
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        maxLength={254}
        required
        complaint="Enter an email address, such as name@example.org."
      />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="new-password"
        minLength={10}
        maxLength={200}
        required
        help="At least 10 characters."
        complaint="Choose a password of at least 10 characters."
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
