/** The credit movements of the user's own account. */
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { TransactionList } from './transaction-list.tsx'

export function HistoryPanel() {
  return (
    <TransactionList
      queryKey={keys.account.credits.transactions}
      read={(query) => client.credits.transactions({ query })}
    />
  )
}
