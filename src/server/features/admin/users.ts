/** Users, as administrators see and change them. */
import { z } from 'zod'
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { exactTime, pageOf, readCursor } from '../../http/page-cursor.ts'
import type { Call } from '../../http/route.ts'
import type { ListedAccount } from '../accounts/accounts.ts'
import { changeAccount, findAccounts, presentUser } from '../accounts/accounts.ts'

const userPosition = z.tuple([exactTime, z.string().max(100)])

export async function listUsers(ctx: Context, { query }: Call<typeof api.admin.users>) {
  const { q, limit } = query
  const position = readCursor(userPosition, query.cursor)
  const after = position && { createdAt: position[0], id: position[1] }
  const rows = await findAccounts(ctx, { q, after, limit: limit + 1 })
  return pageOf(rows, limit, {
    present: presentAccount,
    positionOf: ({ createdAtExactly, id }) => [createdAtExactly, id],
  })
}

export async function changeUser(
  ctx: Context,
  { user, visitor, params, body }: Call<typeof api.admin.changeUser>,
) {
  return presentAccount(await changeAccount(ctx, { user, visitor }, params.id, body))
}

function presentAccount(account: ListedAccount) {
  const { underAge, tier, balance } = account
  return { ...presentUser(account), underAge, tier, balance }
}
