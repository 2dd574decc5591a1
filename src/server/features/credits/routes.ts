/** All routes of credits. */
import { api } from '../../../contract/api.ts'
import { route } from '../../http/route.ts'
import { listTransactions, readAccount, readBalance, readSpending, readStats } from './account.ts'
import { listAccountTransactions } from './charges.ts'
import { claimBonus, readBonusStatus } from './growth/daily-bonus.ts'
import { refundDebit } from './ledger/admin-refunds.ts'
import { grantCredits } from './ledger/grants.ts'
import {
  changePrice,
  createPrice,
  disablePrice,
  listActivePrices,
  listPrices,
} from './pricing/pricing.ts'

export const creditRoutes = [
  route(api.credits.balance, readBalance),
  route(api.credits.account, readAccount),
  route(api.credits.transactions, listTransactions),
  route(api.credits.stats, readStats),
  route(api.credits.spending, readSpending),
  route(api.credits.pricing, listActivePrices, { isPublicRead: true }),
  route(api.credits.bonusStatus, readBonusStatus),
  route(api.credits.claimBonus, claimBonus),
  route(api.credits.listPrices, listPrices),
  route(api.credits.createPrice, createPrice),
  route(api.credits.changePrice, changePrice),
  route(api.credits.disablePrice, disablePrice),
  route(api.credits.grant, grantCredits),
  route(api.credits.refund, refundDebit),
  route(api.credits.accountTransactions, listAccountTransactions),
]
