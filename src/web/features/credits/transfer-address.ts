/** A transfer as wallets read it (EIP-681), and as people do. */
import type { Payment } from './payment-data.ts'
import { words } from './payment-words.ts'

type Transfer = NonNullable<Payment['transfer']>

const chains = new Map<string, string>(Object.entries(words.chains))

export function chainName(chainId: number): string {
  return chains.get(String(chainId)) ?? words.chainById({ number: String(chainId) })
}

/** With a point, as every wallet takes it: '14.990137'. */
export function amountInUnits({ amount, decimals }: Pick<Transfer, 'amount' | 'decimals'>): string {
  const digits = amount.padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

export function transferAddress({ chainId, token, recipient, amount }: Transfer): string {
  return `ethereum:${token}@${chainId}/transfer?address=${recipient}&uint256=${amount}`
}
