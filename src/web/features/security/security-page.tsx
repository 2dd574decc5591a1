/** The security page: a panel for each sign-in method. */
import { PageHead } from '../../frame/page-head.tsx'
import { usePageTitle } from '../../page-title.ts'
import { EmailPanel } from './email-panel.tsx'
import { KeysPanel } from './keys-panel.tsx'
import { PasskeysPanel } from './passkeys-panel.tsx'
import { PasswordPanel } from './password-panel.tsx'
import { SecondFactorPanel } from './second-factor-panel.tsx'
import { SignInsPanel } from './sign-ins-panel.tsx'
import { words } from './words.ts'

export function SecurityPage() {
  usePageTitle(words.security)
  return (
    <>
      <PageHead title={words.security} back={{ href: '/account', label: words.backToAccount }} />
      <div className="grid max-w-[90rem] items-start gap-4 lg:grid-cols-2">
        <div className="grid grid-cols-1 gap-4">
          <PasskeysPanel />
          <PasswordPanel />
          <SecondFactorPanel />
          <EmailPanel />
        </div>
        <div className="grid grid-cols-1 gap-4">
          <SignInsPanel />
          <KeysPanel />
        </div>
      </div>
    </>
  )
}
