/**
 * The page that sells a plan for thirty days, or a package in addition to a plan, with a choice of payment
 * methods.
 */
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { client, explain } from '../../api.ts'
import { PageHead } from '../../frame/page-head.tsx'
import { words as frameWords } from '../../frame/words.ts'
import { usePageTitle } from '../../page-title.ts'
import { keys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Segment } from '../../ui/choice.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { CannotShow, Failure } from '../../ui/failure.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { formatDay } from '../../words/figures.ts'
import { useCurrentUser } from '../accounts/current-user.ts'
import { formatUsd, type PaymentMethod } from './payment-data.ts'
import { words } from './payment-words.ts'

type Offers = Awaited<ReturnType<typeof client.payments.packages>>
type Order = Parameters<typeof client.payments.create>[0]['body']

/** The chosen plan or package. An order contains only one. */
type Choice = {
  readonly order: Omit<Order, 'method'>
  readonly priceUsd: number
  readonly credits: number
  readonly isTier: boolean
}

export function BuyPage() {
  usePageTitle(words.buy)
  const offers = useQuery({
    queryKey: keys.offers,
    queryFn: () => client.payments.packages(),
  })
  return (
    <>
      <PageHead title={words.buy} back={{ href: '/credits', label: words.back }} />
      {offers.isPending && (
        <Waiting label={words.loading}>
          <Skeleton className="h-[32rem] max-w-[64rem]" />
        </Waiting>
      )}
      {offers.error && <CannotShow error={offers.error} onRetry={() => void offers.refetch()} />}
      {offers.data?.methods.length === 0 && (
        <EmptyState headline={words.noMethods}>{words.noMethodsReason}</EmptyState>
      )}
      {offers.data && offers.data.methods.length > 0 && <OrderForm offers={offers.data} />}
    </>
  )
}

function OrderForm({ offers }: { offers: Offers }) {
  const { tiers, packages, methods, current } = offers
  const [method, setMethod] = useState<PaymentMethod | undefined>(methods[0])
  const [choice, setChoice] = useState<Choice | null>(null)
  const [, navigate] = useLocation()
  const begin = useMutation({
    mutationFn: (body: Order) => client.payments.create({ body }),
    onSuccess: ({ paymentId }) => navigate(`/credits/payments/${paymentId}`),
  })
  const mayBuyPackages = tiers.find(({ id }) => id === current.tier)?.canBuyExtra ?? false
  return (
    <div className="grid max-w-[64rem] gap-8">
      <Offered title={words.plans} help={words.plansHelp}>
        {tiers.flatMap(({ id, name, creditsPerMonth, priceUsd }) => {
          if (id === 'free') return []
          return (
            <Tile
              key={id}
              name={name}
              credits={creditsPerMonth}
              priceUsd={priceUsd}
              note={id === current.tier ? planNote(current.tierUntil) : undefined}
              isChosen={choice?.order.tier === id}
              onChoose={() =>
                setChoice({ order: { tier: id }, priceUsd, credits: creditsPerMonth, isTier: true })
              }
            />
          )
        })}
      </Offered>
      <Offered
        title={words.packages}
        help={mayBuyPackages ? words.packagesHelp : words.packagesNeedPlan}
      >
        {packages.map(({ id, name, credits, priceUsd }) => (
          <Tile
            key={id}
            name={name}
            credits={credits}
            priceUsd={priceUsd}
            isDisabled={!mayBuyPackages}
            isChosen={choice?.order.packageId === id}
            onChoose={() =>
              setChoice({ order: { packageId: id }, priceUsd, credits, isTier: false })
            }
          />
        ))}
      </Offered>
      <section className="grid justify-items-start gap-3">
        <h2 className="text-lg font-semibold">{words.method}</h2>
        {method !== undefined && (
          <>
            <Segment
              label={words.method}
              options={methods.map((value) => ({ value, label: words.methods[value] }))}
              value={method}
              onChoose={setMethod}
            />
            <p className="text-sm text-ink-2">{words.methodHelp[method]}</p>
          </>
        )}
        <Failure text={begin.error && explain(begin.error)} />
        <div className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button
            look="lit"
            size="big"
            disabled={choice === null}
            isBusy={begin.isPending}
            price={choice ? formatUsd(choice.priceUsd) : undefined}
            onClick={() => choice && method && begin.mutate({ ...choice.order, method })}
          >
            {words.pay}
          </Button>
          {choice ? (
            <BalanceAfter choice={choice} />
          ) : (
            <p className="text-sm text-ink-2">{words.chooseFirst}</p>
          )}
        </div>
      </section>
    </div>
  )
}

function Offered({ title, help, children }: { title: string; help: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="mt-1 mb-3 text-sm text-ink-2">{help}</p>
      <div role="radiogroup" aria-label={title} className="grid gap-3 sm:grid-cols-3">
        {children}
      </div>
    </section>
  )
}

function Tile({
  name,
  credits,
  priceUsd,
  note,
  isChosen,
  isDisabled = false,
  onChoose,
}: {
  name: string
  credits: number
  priceUsd: number
  note?: string | undefined
  isChosen: boolean
  isDisabled?: boolean
  onChoose: () => void
}) {
  return (
    <label
      className={`tile relative grid content-start gap-1 rounded-mount border border-hairline bg-mount p-4 has-checked:border-ink has-checked:bg-press has-checked:inset-ring has-checked:inset-ring-ink ${
        isDisabled ? 'border-dashed' : 'cursor-pointer shadow-mount'
      }`}
    >
      <input
        type="radio"
        name="offer"
        checked={isChosen}
        disabled={isDisabled}
        onChange={onChoose}
        className="sr-only"
      />
      <span className="flex items-baseline justify-between gap-3">
        <span className="font-[560]">{name}</span>
        <span className="text-ink-2">{formatUsd(priceUsd)}</span>
      </span>
      <span className="text-xl font-semibold">{words.creditsPerMonth({ count: credits })}</span>
      {note !== undefined && <span className="text-xs text-ink-2">{note}</span>}
    </label>
  )
}

function BalanceAfter({ choice: { credits, isTier } }: { choice: Choice }) {
  const { data: user } = useCurrentUser()
  if (!user) return null
  const { balance } = user.credits
  return (
    <p className="text-sm text-ink-2">
      {isTier
        ? words.balanceAfterTier({ balance: inWords(balance), credits: inWords(credits) })
        : words.balanceAfterPackage({
            balance: inWords(balance),
            after: inWords(balance + credits),
          })}
    </p>
  )
}

function inWords(count: number): string {
  return frameWords.creditsLeft({ count })
}

function planNote(until: string | null): string {
  return until === null ? words.yourPlan : words.yourPlanUntil({ day: formatDay(new Date(until)) })
}
