/** Purchases, newest first, each with a link to its receipt. Hidden before the first purchase. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { Panel } from '../../ui/panel.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { formatMoment } from '../../words/figures.ts'
import { formatUsd, type Payment, stateOf, useSubject } from './payment-data.ts'
import { words } from './payment-words.ts'

const pageSize = 10

export function PaymentsPanel() {
  const list = useInfiniteQuery({
    queryKey: keys.account.payments,
    queryFn: ({ pageParam }) =>
      client.payments.list({
        query: { limit: String(pageSize), ...(pageParam === null ? {} : { cursor: pageParam }) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  const payments = list.data?.pages.flatMap((page) => page.items) ?? []
  if (payments.length === 0) return null
  return (
    <Panel title={words.payments}>
      <table className="w-full text-sm">
        <thead className="text-xs text-ink-3">
          <tr>
            <th className="pb-2 text-start font-[500]">{words.columns.what}</th>
            <th className="pb-2 text-start font-[500] max-sm:hidden">{words.columns.when}</th>
            <th className="pb-2 text-start font-[500]">{words.columns.state}</th>
            <th className="pb-2 text-end font-[500]">{words.columns.price}</th>
          </tr>
        </thead>
        <tbody>
          {payments.map((payment) => (
            <Row key={payment.paymentId} payment={payment} />
          ))}
        </tbody>
      </table>
      <div className="grid">
        <ShowMore list={list} />
      </div>
    </Panel>
  )
}

function Row({ payment }: { payment: Payment }) {
  const subjectOf = useSubject()
  const state = stateOf(payment)
  return (
    <tr className="border-t border-hairline">
      <td className="py-2.5 pe-3">
        <Link
          href={`/credits/payments/${payment.paymentId}`}
          className="underline decoration-edge underline-offset-[3px] hover:decoration-ink"
        >
          {subjectOf(payment)}
        </Link>
      </td>
      <td className="py-2.5 pe-3 whitespace-nowrap text-ink-2 max-sm:hidden">
        {formatMoment(new Date(payment.createdAt))}
      </td>
      <td className={`py-2.5 pe-3 ${state === 'completed' ? 'text-good' : 'text-ink-2'}`}>
        {words.states[state]}
      </td>
      <td className="py-2.5 text-end whitespace-nowrap">{formatUsd(payment.priceUsd)}</td>
    </tr>
  )
}
