/** A spend in one statement: the price, the debit if the balance is sufficient, and its transaction. */
import type { Handler } from '../raw.ts'
import { signedInUserId } from './sign-in.ts'

const spendOne = {
  name: 'spend-one',
  text: `with price as (
      select credits_required from feature_pricing where feature_key = $2 and is_active
    ), account as (
      update credit_accounts set balance = balance - credits_required from price
      where user_id = $1 and balance >= credits_required
      returning balance, credits_required
    ), entry as (
      insert into credit_transactions
        (user_id, amount, type, description, feature_key, balance_after, created_at)
      select $1, -credits_required, 'spend', $3, $2, balance, $4 from account
    )
    select json_build_object('charged', credits_required, 'balance', balance)::text as json
    from account`,
}

export const ledgerRoutes: Readonly<Record<string, Handler>> = {
  'POST /bench/spend': async (pool, request) => {
    request.resume()
    const userId = await signedInUserId(pool, request)
    if (userId === null) return { status: 401, json: '{"message":"Unauthorized"}' }
    const { rows } = await pool.query<{ json: string }>({
      ...spendOne,
      values: [userId, 'session_slide_view', 'A slide', new Date()],
    })
    const [spent] = rows
    return spent
      ? { status: 200, json: spent.json }
      : { status: 402, json: '{"error":"Insufficient credits"}' }
  },
}
