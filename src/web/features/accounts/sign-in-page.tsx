/** The page on which someone with a local account signs in. */
import { Link } from 'wouter'
import { client } from '../../api.ts'
import { usePageTitle } from '../../page-title.ts'
import { useSite } from '../../site.ts'
import { Field } from '../../ui/field.tsx'
import { sentence } from '../../words/sentence.ts'
import { AccountForm, useFormAddress, WayIn } from './account-form.tsx'
import { OtherSignInMethods } from './sign-in-methods.tsx'
import { words } from './words.ts'

export function SignInPage() {
  usePageTitle(words.signIn)
  const registerAddress = useFormAddress('/register')
  const site = useSite()
  if (site && !site.signIn.includes('password'))
    return (
      <WayIn title={words.signIn}>
        <OtherSignInMethods />
      </WayIn>
    )
  return (
    <AccountForm
      title={words.signIn}
      action={words.signIn}
      submit={(valueOf) =>
        client.accounts.signIn({
          body: { email: valueOf('email'), password: valueOf('password') },
        })
      }
      otherwise={
        <>
          {site?.mail === true && (
            <p className="mb-2">
              <Link href="/forgot-password" className="text-link">
                {words.forgotPassword}
              </Link>
            </p>
          )}
          {site?.registration === 'open' && (
            <p>
              {sentence(words.noAccountYet, {
                createOne: (
                  <Link href={registerAddress} className="text-link">
                    {words.createOne}
                  </Link>
                ),
              })}
            </p>
          )}
          <OtherSignInMethods />
        </>
      }
    >
      <Field
        label={words.email}
        name="email"
        type="email"
        autoComplete="username"
        required
        complaint={words.enterYourEmail}
      />
      <Field
        label={words.password}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        complaint={words.enterYourPassword}
      />
    </AccountForm>
  )
}
