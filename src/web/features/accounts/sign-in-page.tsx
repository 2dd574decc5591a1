/** The sign-in page for local accounts. */
import { useState } from 'react'
import { Link, useSearch } from 'wouter'
import { client, codeOf, explain } from '../../api.ts'
import { usePageTitle } from '../../page-title.ts'
import { useSite } from '../../site.ts'
import { Field } from '../../ui/field.tsx'
import { sentence } from '../../words/sentence.ts'
import { AccountForm, useFormAddress, SignInLayout } from './account-form.tsx'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { OtherSignInMethods } from './sign-in-methods.tsx'
import { words } from './words.ts'

export function SignInPage() {
  usePageTitle(words.signIn)
  const registerAddress = useFormAddress('/register')
  const site = useSite()
  // The server redirects a form that was sent without our script back here, with this parameter.
  const isCodeRequired = new URLSearchParams(useSearch()).get('code') === 'required'
  const [asksForCode, setAsksForCode] = useState(isCodeRequired)
  const passkey = site?.signIn.includes('passkey') === true && <PasskeySignIn />
  async function signIn(valueOf: (fieldName: string) => string) {
    const code = valueOf('code').trim()
    try {
      await client.accounts.signIn({
        body: {
          email: valueOf('email'),
          password: valueOf('password'),
          ...(code === '' ? {} : { code }),
        },
      })
    } catch (error) {
      if (codeOf(error) === 'SECOND_FACTOR_REQUIRED') setAsksForCode(true)
      throw error
    }
  }
  const explainFailure = (error: unknown) =>
    asksForCode && codeOf(error) === 'SECOND_FACTOR_REQUIRED' ? words.codeWrong : explain(error)
  if (site && !site.signIn.includes('password'))
    return (
      <SignInLayout title={words.signIn}>
        {passkey}
        <OtherSignInMethods />
      </SignInLayout>
    )
  return (
    <AccountForm
      title={words.signIn}
      action={words.signIn}
      submit={signIn}
      explainFailure={explainFailure}
      first={passkey}
      otherwise={
        <>
          <p className="mb-2">
            <Link href="/forgot-password" className="text-link">
              {words.forgotPassword}
            </Link>
          </p>
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
        // The browser suggests passkeys in this field too.
        autoComplete="username webauthn"
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
      {asksForCode && (
        <Field
          label={words.code}
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          ref={isCodeRequired ? null : focusField}
          required
          maxLength={100}
          help={words.codeHelp}
          complaint={words.enterTheCode}
        />
      )}
    </AccountForm>
  )
}

/** Focuses the code field. A stable function, so that React calls it once. */
function focusField(field: HTMLInputElement | null) {
  field?.focus()
}
