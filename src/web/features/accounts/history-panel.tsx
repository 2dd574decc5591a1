/** The last movements of credits, newest first. */
import { useQuery } from '@tanstack/react-query'
import { client } from '../../api.ts'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'

type Transaction = Awaited<ReturnType<typeof client.credits.transactions>>['transactions'][number]

const shownTransactions = 12

export function HistoryPanel() {
  const { data, isPending } = useQuery({
    queryKey: ['account', 'transactions'],
    queryFn: () => client.credits.transactions({ query: { limit: String(shownTransactions) } }),
  })
  return (
    <Panel title="Credits that moved">
      {isPending && (
        <Waiting label="Loading the history">
          <Skeleton className="h-40" />
        </Waiting>
      )}
      {data?.transactions.length === 0 && <p className="text-ink-3">Nothing has moved yet.</p>}
      {data && data.transactions.length > 0 && (
        <table className="w-full text-sm">
          <thead className="text-start text-xs text-ink-3">
            <tr>
              <th className="pb-2 font-[500]">What</th>
              <th className="pb-2 font-[500] max-sm:hidden">When</th>
              <th className="pb-2 text-end font-[500]">Credits</th>
              <th className="pb-2 ps-4 text-end font-[500]">Balance</th>
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
      <td className="py-2.5 pe-3">{description}</td>
      <td className="py-2.5 pe-3 whitespace-nowrap text-ink-2 max-sm:hidden">
        {new Date(createdAt).toLocaleString('en-GB', {
          day: 'numeric',
          month: 'short',
          hour: '2-digit',
          minute: '2-digit',
        })}
      </td>
      <td
        className={`py-2.5 text-end whitespace-nowrap ${amount > 0 ? 'font-[560] text-good' : ''}`}
      >
        {amount > 0
          ? `+${amount.toLocaleString('en')}`
          : `−${Math.abs(amount).toLocaleString('en')}`}
      </td>
      <td className="py-2.5 ps-4 text-end text-ink-2">{balanceAfter.toLocaleString('en')}</td>
    </tr>
  )
}
