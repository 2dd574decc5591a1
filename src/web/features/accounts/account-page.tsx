/** The account page: profile, sign-in, interests, download and deletion. */
import { Suspense } from 'react'
import { LanguageMenu, useLanguageEntries } from '../../frame/language-menu.tsx'
import { PageHead } from '../../frame/page-head.tsx'
import { words as frameWords } from '../../frame/words.ts'
import { usePageTitle } from '../../page-title.ts'
import { lazyPart } from '../../parts.ts'
import { useHasCredits, useSite } from '../../site.ts'
import { chooseTheme, themeOptions, useThemeChoice } from '../../theme-choice.ts'
import { Button } from '../../ui/button.tsx'
import { Segment } from '../../ui/choice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { InvitePanel } from '../credits/invite-panel.tsx'
import { AgePanel } from './age-panel.tsx'
import { useSignOut } from './sign-out.ts'
import { InterestsPanel } from './interests-panel.tsx'
import { LeavePanel } from './leaving-panel.tsx'
import { words as leavingWords } from './leaving-words.ts'
import { ProfilePanel } from './profile-panel.tsx'
import { LinkPanel } from './link-panel.tsx'
import { words } from './words.ts'

const ConnectionsPanel = lazyPart(
  async () => (await import('../security/connections-panel.tsx')).ConnectionsPanel,
)

export function AccountPage() {
  usePageTitle(words.account)
  const signOut = useSignOut()
  const hasCredits = useHasCredits()
  const hasConnections = useSite()?.feeds.some(({ needsConnection }) => needsConnection)
  return (
    <>
      <PageHead title={words.account}>
        <Button look="line" onClick={() => void signOut()}>
          {words.signOut}
        </Button>
      </PageHead>
      <div className="grid max-w-[90rem] items-start gap-4 lg:grid-cols-2">
        <div className="grid gap-4">
          <ProfilePanel />
          <LinkPanel
            title={words.security}
            help={words.securityHelp}
            href="/account/security"
            label={words.openSecurity}
          />
          <AppearancePanel />
          <AgePanel />
          {!hasCredits && <InvitePanel />}
        </div>
        <div className="grid gap-4">
          <InterestsPanel />
          {hasConnections && (
            <Suspense>
              <ConnectionsPanel />
            </Suspense>
          )}
          <LinkPanel
            title={leavingWords.downloads}
            help={leavingWords.downloadsHelp}
            href="/account/downloads"
            label={leavingWords.openDownloads}
          />
          <LeavePanel />
        </div>
      </div>
    </>
  )
}

function AppearancePanel() {
  const theme = useThemeChoice()
  const hasLanguages = useLanguageEntries().length > 0
  return (
    <Panel title={words.display}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>{frameWords.theme}</p>
        <Segment
          label={frameWords.theme}
          options={themeOptions}
          value={theme}
          onChoose={chooseTheme}
        />
      </div>
      {hasLanguages && (
        <div className="mt-4 flex flex-wrap items-center justify-between gap-3 border-t border-hairline pt-4">
          <p>{frameWords.language}</p>
          <LanguageMenu align="end" />
        </div>
      )}
    </Panel>
  )
}
