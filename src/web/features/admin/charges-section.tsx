/** A person's charges and their reasons, by the person's id. */
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { useCurrentUser } from '../accounts/current-user.ts'
import { featureName } from '../credits/feature-name.ts'
import { type Transaction, TransactionList } from '../credits/transaction-list.tsx'
import { RefundDialog } from './refund-dialog.tsx'
import { words } from './user-words.ts'

export function ChargesSection() {
  const [params, setParams] = useSearchParams()
  const userId = params.get('user') ?? ''
  const [refunding, setRefunding] = useState<Transaction | null>(null)
  return (
    <>
      <div className="mb-4">
        <SearchField
          label={words.chargesOf}
          words={userId}
          onSearch={(user) => setParams(user === '' ? {} : { user }, { replace: true })}
        />
      </div>
      {userId === '' ? (
        <EmptyState
          headline={words.chargesOfNobody}
          action={<ButtonLink href="/admin/users">{words.choosePerson}</ButtonLink>}
        >
          {words.chargesOfNobodyReason}
        </EmptyState>
      ) : (
        <TransactionList
          key={userId}
          queryKey={keys.admin.part('transactions', userId)}
          read={(query) => client.credits.accountTransactions({ params: { id: userId }, query })}
          renderNotes={(transaction) => (
            <ChargeNotes transaction={transaction} onRefund={() => setRefunding(transaction)} />
          )}
        />
      )}
      {refunding && <RefundDialog charge={refunding} onClose={() => setRefunding(null)} />}
    </>
  )
}

function ChargeNotes({
  transaction,
  onRefund,
}: {
  transaction: Transaction
  onRefund: () => void
}) {
  const { data: me } = useCurrentUser()
  const reason = reasonOf(transaction)
  const { amount, type, userId } = transaction
  return (
    <>
      {reason !== '' && (
        <p className="text-xs text-ink-3">
          <bdi>{reason}</bdi>
        </p>
      )}
      {type === 'spend' && amount < 0 && me && me.id !== userId && (
        <Button size="small" look="line" onClick={onRefund}>
          {words.refund}
        </Button>
      )}
    </>
  )
}

/** Returns the name of the paid feature and the metadata of the charge. */
function reasonOf({ featureKey, metadata }: Transaction): string {
  const notes = Object.entries(metadata ?? {}).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return [...(featureKey === null ? [] : [featureName(featureKey)]), ...notes].join(' · ')
}
