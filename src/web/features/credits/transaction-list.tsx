/** Credit movements of an account, newest first, by kind and page by page. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type client, translated } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { ChipChoice } from '../../ui/choice.tsx'
import { CannotShow } from '../../ui/failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { formatDayMonthTime, formatNumber } from '../../words/figures.ts'
import { words } from './words.ts'

type TransactionPage = Awaited<ReturnType<typeof client.credits.transactions>>
export type Transaction = TransactionPage['transactions'][number]
type Type = Transaction['type'] | 'all'
type Query = { readonly page: string; readonly limit: string; readonly type?: Transaction['type'] }

/** Renders a line and an action below a movement, for administrators. */
type Notes = (transaction: Transaction) => ReactNode

const pageSize = 12

const types = (['all', 'spend', 'purchase', 'grant', 'bonus', 'referral', 'refund'] as const).map(
  (value) => ({ value, label: words.historyTypes[value] }),
)

export function TransactionList({
  queryKey,
  read,
  renderNotes,
}: {
  queryKey: readonly unknown[]
  read: (query: Query) => Promise<TransactionPage>
  renderNotes?: Notes
}) {
  const [type, setType] = useState<Type>('all')
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKey, type, page],
    queryFn: () =>
      read({
        page: String(page),
        limit: String(pageSize),
        ...(type === 'all' ? {} : { type }),
      }),
    placeholderData: (shown) => shown,
  })
  return (
    <Panel title={words.history}>
      <div className="mb-4">
        <ChipChoice
          label={words.historyFilter}
          options={types}
          value={type}
          onChoose={(type) => {
            setType(type)
            setPage(1)
          }}
        />
      </div>
      {!data && !error && (
        <Waiting label={words.historyLoading}>
          <Skeleton className="h-96" />
        </Waiting>
      )}
      {error && <CannotShow error={error} onRetry={() => void refetch()} />}
      {data?.transactions.length === 0 && (
        <p className="text-ink-3">
          {type === 'all' ? words.historyEmpty : words.historyEmptyOfType}
        </p>
      )}
      {data && data.transactions.length > 0 && (
        <Movements transactions={data.transactions} renderNotes={renderNotes} />
      )}
      {data && data.pagination.pages > 1 && (
        <Pages page={page} pages={data.pagination.pages} onTurn={setPage} />
      )}
    </Panel>
  )
}

function Movements({
  transactions,
  renderNotes,
}: {
  transactions: readonly Transaction[]
  renderNotes: Notes | undefined
}) {
  return (
    <table className="w-full text-sm">
      <thead className="text-xs text-ink-3">
        <tr>
          <th className="pb-2 text-start font-[500]">{words.historyColumns.what}</th>
          <th className="pb-2 text-start font-[500] max-lg:hidden">{words.historyColumns.kind}</th>
          <th className="pb-2 text-start font-[500] max-sm:hidden">{words.historyColumns.when}</th>
          <th className="pb-2 text-end font-[500]">{words.historyColumns.credits}</th>
          <th className="pb-2 ps-4 text-end font-[500]">{words.historyColumns.balance}</th>
        </tr>
      </thead>
      <tbody>
        {transactions.map((transaction) => (
          <Row key={transaction.id} transaction={transaction} notes={renderNotes?.(transaction)} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ transaction, notes }: { transaction: Transaction; notes: ReactNode }) {
  const { description, type, amount, balanceAfter, createdAt } = transaction
  return (
    <tr className="border-t border-hairline">
      <td className="py-2.5 pe-3 [overflow-wrap:anywhere]">
        <bdi>{translated(description)}</bdi>
        {notes}
      </td>
      <td className="py-2.5 pe-3 text-ink-2 max-lg:hidden">{words.historyTypes[type]}</td>
      <td className="py-2.5 pe-3 whitespace-nowrap text-ink-2 max-sm:hidden">
        {formatDayMonthTime(new Date(createdAt))}
      </td>
      <td
        className={`py-2.5 text-end whitespace-nowrap ${amount > 0 ? 'font-[560] text-good' : ''}`}
      >
        {amount > 0 ? `+${formatNumber(amount)}` : `−${formatNumber(Math.abs(amount))}`}
      </td>
      <td className="py-2.5 ps-4 text-end text-ink-2">{formatNumber(balanceAfter)}</td>
    </tr>
  )
}

function Pages({
  page,
  pages,
  onTurn,
}: {
  page: number
  pages: number
  onTurn: (page: number) => void
}) {
  return (
    <nav
      aria-label={words.historyPages}
      className="mt-3 flex flex-wrap items-center justify-between gap-3 border-t border-hairline pt-3"
    >
      <output className="text-sm text-ink-2">{words.pageOf({ page, pages })}</output>
      <div className="flex gap-2">
        <Button size="small" look="line" disabled={page === 1} onClick={() => onTurn(page - 1)}>
          {words.newer}
        </Button>
        <Button size="small" look="line" disabled={page >= pages} onClick={() => onTurn(page + 1)}>
          {words.older}
        </Button>
      </div>
    </nav>
  )
}
