/** The page on which someone with a local account signs in. */
import { Link } from 'wouter'
import { client } from '../../api.ts'
import { usePageTitle } from '../../page-title.ts'
import { useSite } from '../../site.ts'
import { Field } from '../../ui/field.tsx'
import { AccountForm, useFormAddress } from './account-form.tsx'
import { OtherSignInMethods } from './sign-in-methods.tsx'

export function SignInPage() {
  usePageTitle('Sign in')
  const registerAddress = useFormAddress('/register')
  const site = useSite()
  if (site && !site.signIn.includes('password'))
    return (
      <div className="mx-auto w-full max-w-[25rem] py-6 sm:my-auto">
        <h1 className="text-2xl leading-tight font-semibold tracking-[-0.015em]">Sign in</h1>
        <OtherSignInMethods />
      </div>
    )
  return (
    <AccountForm
      title="Sign in"
      action="Sign in"
      submit={(valueOf) =>
        client.accounts.signIn({
          body: { email: valueOf('email'), password: valueOf('password') },
        })
      }
      otherwise={
        <>
          {site?.registration === 'open' && (
            <>
              No account yet?{' '}
              <Link href={registerAddress} className="text-link">
                Create one
              </Link>
            </>
          )}
          <OtherSignInMethods />
        </>
      }
    >
      <Field
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        required
        complaint="Enter the email address of your account."
      />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        complaint="Enter your password."
      />
    </AccountForm>
  )
}
