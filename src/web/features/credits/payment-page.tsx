/** One payment, live: the next step, the result, and the receipt once it is paid. */
import { Printer } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useParams } from 'wouter'
import { statusOf } from '../../api.ts'
import { PageHead } from '../../frame/page-head.tsx'
import { NotFoundPage } from '../../not-found-page.tsx'
import { usePageTitle } from '../../page-title.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CannotShow } from '../../ui/failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { formatMoment, formatNumber } from '../../words/figures.ts'
import {
  formatUsd,
  type Payment,
  type PaymentState,
  stateOf,
  useSubject,
  usePayment,
} from './payment-data.ts'
import { PaymentSteps } from './payment-steps.tsx'
import { words } from './payment-words.ts'

export function PaymentPage() {
  usePageTitle(words.payment)
  const { id } = useParams<{ id: string }>()
  const payment = usePayment(id)
  const status = statusOf(payment.error)
  if (status === 404 || status === 400) return <NotFoundPage />
  return (
    <>
      <PageHead
        title={words.paymentOf({ number: id })}
        back={{ href: '/credits', label: words.back }}
      />
      {payment.isPending && (
        <Waiting label={words.opening}>
          <Skeleton className="h-80 max-w-[40rem]" />
        </Waiting>
      )}
      {payment.error && !payment.data && (
        <CannotShow error={payment.error} onRetry={() => void payment.refetch()} />
      )}
      {payment.data && <Shown payment={payment.data} />}
    </>
  )
}

function Shown({ payment }: { payment: Payment }) {
  const subjectOf = useSubject()
  const state = stateOf(payment)
  const isPaid = state === 'completed' || state === 'refunded'
  return (
    <div className="grid max-w-[40rem] gap-4">
      <Panel
        title={subjectOf(payment)}
        aside={<span className="text-lg">{formatUsd(payment.priceUsd)}</span>}
      >
        {/* Screen readers announce every change of state. */}
        <output className="block">
          <span
            className={`block font-[560] ${state === 'completed' ? 'text-good' : ''} ${
              state === 'failed' || state === 'underpaid' ? 'text-danger' : ''
            }`}
          >
            {words.states[state]}
          </span>
          <span className="block text-sm text-ink-2">{helps[state]}</span>
        </output>
        {state === 'pending' && <TimeLeft until={payment.expiresAt} />}
        {state === 'pending' && <PaymentSteps payment={payment} />}
      </Panel>
      {isPaid && <Receipt payment={payment} />}
      {state !== 'pending' && state !== 'confirming' && (
        <div>
          <ButtonLink href="/credits/buy" look="line">
            {words.again}
          </ButtonLink>
        </div>
      )}
    </div>
  )
}

const helps: Record<PaymentState, string> = {
  pending: words.pendingHelp,
  confirming: words.confirmingHelp,
  completed: words.completedHelp,
  expired: words.expiredHelp,
  failed: words.failedHelp,
  underpaid: words.underpaidHelp,
  refunded: words.refundedHelp,
}

/** Shows the remaining time. The role `timer` keeps screen readers from announcing every second. */
function TimeLeft({ until }: { until: string }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.floor((Date.parse(until) - now) / 1000))
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return (
    <p className="mt-3 flex justify-between gap-4 border-t border-hairline pt-3 text-sm">
      <span className="text-ink-2">{words.timeLeft}</span>
      <span role="timer" className="font-[560]">
        <bdi>{parts.map((part) => String(part).padStart(2, '0')).join(':')}</bdi>
      </span>
    </p>
  )
}

function Receipt({ payment }: { payment: Payment }) {
  const { paymentId, method, createdAt, completedAt, refundedAt, credits, priceUsd } = payment
  const lines: readonly (readonly [string, string])[] = [
    [words.receiptNumber, String(paymentId)],
    [words.boughtAt, formatMoment(new Date(createdAt))],
    ...(completedAt === null ? [] : [[words.paidAt, formatMoment(new Date(completedAt))] as const]),
    ...(refundedAt === null
      ? []
      : [[words.refundedAt, formatMoment(new Date(refundedAt))] as const]),
    [words.paidBy, words.methods[method]],
    [words.credits, formatNumber(credits)],
    [words.price, formatUsd(priceUsd)],
    ...(payment.txHash === undefined ? [] : [[words.txHash, payment.txHash] as const]),
  ]
  return (
    <Panel title={words.receipt}>
      <dl className="text-sm">
        {lines.map(([name, value]) => (
          <div
            key={name}
            className="flex justify-between gap-6 border-t border-hairline py-2 first:border-0"
          >
            <dt className="shrink-0 text-ink-2">{name}</dt>
            <dd className="text-end [overflow-wrap:anywhere]">
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <Button
        look="line"
        className="mt-4 print:hidden"
        icon={<Printer size={18} aria-hidden="true" />}
        onClick={() => window.print()}
      >
        {words.print}
      </Button>
    </Panel>
  )
}
