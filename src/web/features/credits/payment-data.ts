/** Payments as pages see them: read again while something may still happen, and what each is called. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { askAgainMs } from '../imports/asking-pace.ts'
import { pageLocale } from '../../words/language.ts'
import { creditsClient } from './credits-client.ts'
import { words } from './payment-words.ts'

export type Payment = Awaited<ReturnType<typeof creditsClient.payments.read>>
export type PaymentMethod = Payment['method']
export type PaymentState = Payment['status'] | 'refunded'

const dollars = new Intl.NumberFormat(pageLocale(), { style: 'currency', currency: 'USD' })

const minuteMs = 60_000

/** What comes late is still credited, so it is looked for a little longer. */
const graceMs = 30 * minuteMs

export function usePayment(id: string) {
  const queryClient = useQueryClient()
  const payment = useQuery({
    queryKey: ['payment', id],
    queryFn: () => creditsClient.payments.read({ params: { id } }),
    refetchInterval: ({ state: { status, data, dataUpdateCount } }) =>
      status === 'success' && data && isOpen(data) ? askAgainMs(dataUpdateCount) : false,
  })
  const status = payment.data?.status
  useEffect(() => {
    if (status !== 'completed') return
    void queryClient.invalidateQueries({ queryKey: ['current-user'] })
    void queryClient.invalidateQueries({ queryKey: ['account'] })
    void queryClient.invalidateQueries({ queryKey: ['offers'] })
  }, [status, queryClient])
  return payment
}

/** '$14.99', or '14,99 $'. */
export function formatUsd(amount: number): string {
  return dollars.format(amount)
}

export function stateOf({ status, refundedAt }: Payment): PaymentState {
  return refundedAt === null ? status : 'refunded'
}

/** What was bought, in words. */
export function subjectOf({ tier, credits }: Payment): string {
  return tier === null
    ? words.ofPackage({ count: credits })
    : words.ofPlan({ name: words.tiers[tier] })
}

function isOpen({ status, expiresAt }: Payment): boolean {
  if (status === 'confirming') return true
  return status === 'pending' && Date.parse(expiresAt) + graceMs > Date.now()
}
