/** Payments on pages: polled while they are open, with the names of their states and subjects. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { pollAfterMs } from '../imports/polling-interval.ts'
import { useTierName } from '../../site.ts'
import { pageLocale } from '../../words/language.ts'
import { words } from './payment-words.ts'

export type Payment = Awaited<ReturnType<typeof client.payments.read>>
export type PaymentMethod = Payment['method']
export type PaymentState = Payment['status'] | 'refunded'

const dollars = new Intl.NumberFormat(pageLocale(), { style: 'currency', currency: 'USD' })

const minuteMs = 60_000

/** A late payment is still credited, so polling continues for a while. */
const graceMs = 30 * minuteMs

export function usePayment(id: string) {
  const queryClient = useQueryClient()
  const payment = useQuery({
    queryKey: keys.payment(id),
    queryFn: () => client.payments.read({ params: { id } }),
    // Polls again after a failure: the payment continues without this page.
    refetchInterval: ({ state: { data, dataUpdateCount, errorUpdateCount } }) =>
      data && isOpen(data) ? pollAfterMs(dataUpdateCount + errorUpdateCount) : false,
  })
  const status = payment.data?.status
  useEffect(() => {
    if (status !== 'completed') return
    void queryClient.invalidateQueries({ queryKey: keys.currentUser })
    void queryClient.invalidateQueries({ queryKey: keys.account.all })
    void queryClient.invalidateQueries({ queryKey: keys.offers })
  }, [status, queryClient])
  return payment
}

/** Formats a price as '$14.99', or '14,99 $'. */
export function formatUsd(amount: number): string {
  return dollars.format(amount)
}

export function stateOf({ status, refundedAt }: Payment): PaymentState {
  return refundedAt === null ? status : 'refunded'
}

/** Returns a function that names what was bought. */
export function useSubject(): (payment: Pick<Payment, 'tier' | 'credits'>) => string {
  const tierName = useTierName()
  return ({ tier, credits }) =>
    tier === null ? words.ofPackage({ count: credits }) : words.ofPlan({ name: tierName(tier) })
}

function isOpen({ status, expiresAt }: Payment): boolean {
  if (status === 'confirming') return true
  return status === 'pending' && Date.parse(expiresAt) + graceMs > Date.now()
}
