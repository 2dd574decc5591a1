/** The account menu: account pages, theme, language and sign-out. */
import { Coins, LogOut, ShieldCheck, UserRound } from 'lucide-react'
import type { SignedInUser } from '../api.ts'
import { nameOf, useCurrentUser } from '../features/accounts/current-user.ts'
import { useSignOut } from '../features/accounts/sign-out.ts'
import { useHasCredits } from '../site.ts'
import { chooseTheme, themeOptions, useThemeChoice } from '../theme-choice.ts'
import { Menu } from '../ui/menu.tsx'
import { useLanguageEntries } from './language-menu.tsx'
import { words } from './words.ts'

const administration = {
  kind: 'link',
  label: words.administration,
  href: '/admin',
  icon: <ShieldCheck size={18} />,
} as const

export function AccountMenu() {
  const { data: user } = useCurrentUser()
  const signOut = useSignOut()
  const theme = useThemeChoice()
  const hasCredits = useHasCredits()
  const languages = useLanguageEntries()
  if (!user) return null
  return (
    <Menu
      label={words.accountMenu}
      trigger={<Avatar user={user} />}
      triggerClassName="icon-button"
      heading={
        <div className="max-w-64 px-2.5 pt-2 pb-1.5">
          <p className="truncate font-[560]">{nameOf(user)}</p>
          {hasCredits && (
            <p className="text-xs text-ink-3">
              {words.creditsLeft({ count: user.credits.balance })}
            </p>
          )}
        </div>
      }
      entries={[
        { kind: 'line' },
        { kind: 'link', label: words.account, href: '/account', icon: <UserRound size={18} /> },
        ...(hasCredits ? [creditsEntry] : []),
        ...(user.role === 'user' ? [] : [administration]),
        { kind: 'line' },
        {
          kind: 'choice',
          label: words.theme,
          value: theme,
          options: themeOptions,
          onChoose: (value) =>
            chooseTheme(themeOptions.find((option) => option.value === value)?.value ?? 'system'),
        },
        ...languages,
        { kind: 'line' },
        {
          kind: 'action',
          label: words.signOut,
          icon: <LogOut size={18} />,
          onSelect: () => void signOut(),
        },
      ]}
    />
  )
}

const creditsEntry = {
  kind: 'link',
  label: words.creditsPage,
  href: '/credits',
  icon: <Coins size={18} />,
} as const

function Avatar({ user }: { user: SignedInUser }) {
  if (user.profileImageUrl !== null)
    return <img src={user.profileImageUrl} alt="" className="size-8 rounded-full object-cover" />
  return (
    <span
      aria-hidden="true"
      className="grid size-8 place-items-center rounded-full bg-press text-xs font-semibold text-ink-2"
    >
      {initialsOf(user)}
    </span>
  )
}

function initialsOf(user: SignedInUser): string {
  const words = [user.firstName ?? user.email, user.lastName ?? '']
  return words.map((word) => word.slice(0, 1).toUpperCase()).join('')
}
