/** The users: search, change, and grant credits. */
import { useCallback, useState } from 'react'
import { useSearchParams } from 'wouter'
import { client } from '../../api.ts'
import { useHasCredits, useTierName } from '../../site.ts'
import { Button } from '../../ui/button.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { formatNumber } from '../../words/figures.ts'
import { AdminList, useAdminList } from './admin-list.tsx'
import { type AdminUser, UserDialog, userName } from './user-dialog.tsx'
import { words } from './user-words.ts'
import { words as adminWords } from './words.ts'

export function UsersSection() {
  const [params, setParams] = useSearchParams()
  const q = params.get('q') ?? ''
  const search = useCallback(
    (typed: string) => setParams(typed === '' ? {} : { q: typed }, { replace: true }),
    [setParams],
  )
  const list = useAdminList(['users', q], (page) =>
    client.admin.users({ query: { ...(q === '' ? {} : { q }), ...page } }),
  )
  const [changedId, setChangedId] = useState<string | null>(null)
  const changed = list.items?.find(({ id }) => id === changedId)
  return (
    <>
      <div className="mb-4">
        <SearchField label={words.search} words={q} onSearch={search} />
      </div>
      <AdminList
        list={list}
        loading={words.loading}
        empty={{ headline: words.nobody, reason: words.nobodyReason }}
      >
        {(users) => <UserTable users={users} onChange={({ id }) => setChangedId(id)} />}
      </AdminList>
      {changed && <UserDialog user={changed} onClose={() => setChangedId(null)} />}
    </>
  )
}

function UserTable({
  users,
  onChange,
}: {
  users: readonly AdminUser[]
  onChange: (user: AdminUser) => void
}) {
  const hasCredits = useHasCredits()
  return (
    <div className="rounded-mount bg-mount px-4 py-2 shadow-mount">
      <table className="w-full text-sm">
        <thead className="text-xs text-ink-3">
          <tr>
            <th className="py-2 text-start font-[500]">{words.name}</th>
            <th className="py-2 ps-3 text-start font-[500] max-sm:hidden">{words.role}</th>
            <th className="py-2 ps-3 text-start font-[500] max-sm:hidden">{words.tier}</th>
            {hasCredits && (
              <th className="py-2 ps-3 text-end font-[500] max-lg:hidden">{words.balance}</th>
            )}
            <th className="py-2 ps-3 text-start font-[500] max-lg:hidden">{words.state}</th>
            <th className="sr-only">{adminWords.change}</th>
          </tr>
        </thead>
        <tbody>
          {users.map((user) => (
            <UserRow key={user.id} user={user} hasCredits={hasCredits} onChange={onChange} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function UserRow({
  user,
  hasCredits,
  onChange,
}: {
  user: AdminUser
  hasCredits: boolean
  onChange: (user: AdminUser) => void
}) {
  const tierName = useTierName()
  return (
    <tr className="border-t border-hairline">
      <td className="max-w-0 py-2.5 sm:w-1/2">
        <p className="truncate font-[560]">{userName(user)}</p>
        <p className="truncate text-xs text-ink-3">
          <bdi>{user.email}</bdi>
        </p>
        <p className="text-xs text-ink-2 sm:hidden">{words.roles[user.role]}</p>
      </td>
      <td className="py-2.5 ps-3 whitespace-nowrap max-sm:hidden">{words.roles[user.role]}</td>
      <td className="py-2.5 ps-3 whitespace-nowrap max-sm:hidden">{tierName(user.tier)}</td>
      {hasCredits && (
        <td className="py-2.5 ps-3 text-end max-lg:hidden">{formatNumber(user.balance)}</td>
      )}
      <td className="py-2.5 ps-3 whitespace-nowrap max-lg:hidden">
        <StateOf user={user} />
      </td>
      <td className="w-px py-2.5 ps-3 text-end">
        <Button
          look="line"
          aria-label={adminWords.changeOne({ name: userName(user) })}
          onClick={() => onChange(user)}
        >
          {adminWords.change}
        </Button>
      </td>
    </tr>
  )
}

function StateOf({ user }: { user: AdminUser }) {
  if (!user.isActive) return <span className="text-danger">{words.inactive}</span>
  if (user.underAge) return <span className="text-caution">{words.underAge}</span>
  return user.ageVerified ? words.ageVerified : words.active
}
