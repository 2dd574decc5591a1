/** The activity log: actions of users and changes to their accounts, by action and by person. */
import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import { client } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Select } from '../../ui/select.tsx'
import { formatMoment } from '../../words/figures.ts'
import { AdminList, useAdminList } from './admin-list.tsx'
import { words } from './operation-words.ts'

type Activity = Awaited<ReturnType<typeof client.admin.activity>>['items'][number]

const actionOptions = [
  { value: '', label: words.anyAction },
  ...Object.entries(words.actions).map(([value, label]) => ({ value, label })),
]
const actionNames = new Map<string, string>(Object.entries(words.actions))

export function ActivitySection() {
  const [params, setParams] = useSearchParams()
  const userId = params.get('user') ?? ''
  const action = params.get('action') ?? ''
  const filter = (part: { user?: string; action?: string }) => {
    const next = { user: userId, action, ...part }
    setParams(Object.fromEntries(Object.entries(next).filter(([, value]) => value !== '')), {
      replace: true,
    })
  }
  const list = useAdminList(['activity', userId, action], (page) =>
    client.admin.activity({
      query: {
        ...(userId === '' ? {} : { userId }),
        ...(action === '' ? {} : { action }),
        ...page,
      },
    }),
  )
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-2">
        <Select
          label={words.action}
          isCompact
          options={actionOptions}
          value={action}
          onChoose={(chosen) => filter({ action: chosen })}
        />
        <SearchField label={words.person} words={userId} onSearch={(user) => filter({ user })} />
      </div>
      <AdminList
        list={list}
        loading={words.activityLoading}
        empty={{
          headline: words.nothingDone,
          reason: words.nothingDoneReason,
          action: <Button onClick={() => filter({ user: '', action: '' })}>{words.showAll}</Button>,
        }}
      >
        {(items) => (
          <ol className="rounded-mount bg-mount px-4 py-2 shadow-mount">
            {items.map((item) => (
              <Entry key={item.id} item={item} onPerson={(user) => filter({ user })} />
            ))}
          </ol>
        )}
      </AdminList>
    </>
  )
}

function Entry({ item, onPerson }: { item: Activity; onPerson: (id: string) => void }) {
  const { userId, targetUserId, action, details, ipAddress, createdAt } = item
  const hasDetails = Object.keys(details).length > 0
  return (
    <li className="grid gap-1 border-hairline py-3 text-sm not-first:border-t">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="font-[560]">{actionNames.get(action) ?? action}</p>
        <time dateTime={createdAt} className="text-xs text-ink-3">
          {formatMoment(new Date(createdAt))}
        </time>
      </div>
      <dl className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">
        <Fact label={words.who}>
          {userId === null ? words.theSite : <Person id={userId} onPerson={onPerson} />}
        </Fact>
        {targetUserId !== null && (
          <Fact label={words.toWhom}>
            <Person id={targetUserId} onPerson={onPerson} />
          </Fact>
        )}
        {ipAddress !== null && <Fact label={words.address}>{ipAddress}</Fact>}
      </dl>
      {hasDetails && (
        <details className="text-xs">
          <summary className="inline-flex min-h-6 cursor-pointer items-center text-ink-2 hover:text-ink">
            {words.details}
          </summary>
          <pre className="mt-1 max-h-60 overflow-auto rounded-control bg-well p-3 break-all whitespace-pre-wrap">
            {JSON.stringify(details, null, 2)}
          </pre>
        </details>
      )}
    </li>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex gap-1.5">
      <dt className="text-ink-3">{label}</dt>
      <dd className="break-all">{children}</dd>
    </div>
  )
}

function Person({ id, onPerson }: { id: string; onPerson: (id: string) => void }) {
  return (
    <button
      type="button"
      aria-label={words.onlyOf({ id })}
      onClick={() => onPerson(id)}
      className="cursor-pointer break-all underline underline-offset-2 hover:text-ink"
    >
      {id}
    </button>
  )
}
