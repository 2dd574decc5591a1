/** Tables of payments, charges and awaited transfers. */
import type { Generated, GeneratedAlways } from 'kysely'

declare module '../../database/tables.ts' {
  interface Tables {
    payments: PaymentTable
    payment_charges: PaymentChargeTable
    payment_transfers: PaymentTransferTable
  }
}

type PaymentTable = {
  id: GeneratedAlways<number>
  user_id: string | null
  reference: string
  method: 'crypto' | 'telegram_stars' | 'web3'
  package_id: string | null
  tier: 'joi_curious' | 'full_access' | 'vip' | null
  credits: number
  price_cents: number
  status: Generated<'pending' | 'confirming' | 'completed' | 'expired' | 'failed' | 'underpaid'>
  checkout_url: string | null
  invoice_id: string | null
  stars: number | null
  purchase_id: number | null
  expires_at: Date
  completed_at: Date | null
  refunded_at: Date | null
  created_at: Date
}

type PaymentChargeTable = {
  method: string
  charge_id: string
  payment_id: number
  credited: boolean
  refunded_at: Date | null
  created_at: Date
}

/** Amounts exceed JavaScript's safe integers, so they are texts. */
type PaymentTransferTable = {
  payment_id: number
  chain_id: number
  token: string
  recipient: string
  amount: string
  reserved_amount: string | null
  from_block: number
  scan_from_block: number
  submitted_tx_hash: string | null
  tx_hash: string | null
  tx_block: number | null
}
