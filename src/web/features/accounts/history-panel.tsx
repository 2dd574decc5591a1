/** The last movements of credits, newest first. */
import { useQuery } from '@tanstack/react-query'
import { client, translated } from '../../api.ts'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { formatDayMonthTime, formatNumber } from '../../words/figures.ts'
import { words } from './words.ts'

type Transaction = Awaited<ReturnType<typeof client.credits.transactions>>['transactions'][number]

const shownTransactions = 12

export function HistoryPanel() {
  const { data, isPending } = useQuery({
    queryKey: ['account', 'transactions'],
    queryFn: () => client.credits.transactions({ query: { limit: String(shownTransactions) } }),
  })
  return (
    <Panel title={words.history}>
      {isPending && (
        <Waiting label={words.historyLoading}>
          <Skeleton className="h-40" />
        </Waiting>
      )}
      {data?.transactions.length === 0 && <p className="text-ink-3">{words.historyEmpty}</p>}
      {data && data.transactions.length > 0 && (
        <table className="w-full text-sm">
          <thead className="text-xs text-ink-3">
            <tr>
              <th className="pb-2 text-start font-[500]">{words.historyColumns.what}</th>
              <th className="pb-2 text-start font-[500] max-sm:hidden">
                {words.historyColumns.when}
              </th>
              <th className="pb-2 text-end font-[500]">{words.historyColumns.credits}</th>
              <th className="pb-2 ps-4 text-end font-[500]">{words.historyColumns.balance}</th>
            </tr>
          </thead>
          <tbody>
            {data.transactions.map((transaction) => (
              <Row key={transaction.id} transaction={transaction} />
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}

function Row({ transaction }: { transaction: Transaction }) {
  const { description, amount, balanceAfter, createdAt } = transaction
  return (
    <tr className="border-t border-hairline">
      <td className="py-2.5 pe-3">{translated(description)}</td>
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
