/** The functions and types of credits that other features may use. */
export {
  allocationOf,
  openCreditAccount,
  summariseCredits,
  checkLedger,
} from './credit-accounts.ts'
export type { PendingReferral } from './growth/referrals.ts'
export { creditReferral, summariseReferrals } from './growth/referrals.ts'
export type { Hold } from './ledger/holds.ts'
export {
  collectHold,
  writeOffHold,
  holdCredits,
  markHoldOwed,
  releaseHold,
  releaseHoldOrLog,
  spendHold,
} from './ledger/holds.ts'
export { buyCredits, buyTier, readTier, reversePurchase } from './ledger/purchases.ts'
export { setTier } from './ledger/purchase-queries.ts'
export type { Charge, Spent } from './ledger/spending.ts'
export {
  inAccountTurn,
  refund,
  refuseUnaffordable,
  spend,
  spendAnd,
  spendInStatement,
} from './ledger/spending.ts'
export { findRefund, lockAccount, takenDebit } from './ledger/debit-queries.ts'
export { findPrice } from './pricing/pricing.ts'
