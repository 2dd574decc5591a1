/** Formats a transfer for wallets (EIP-681) and for people. */
import type { Payment } from './payment-data.ts'
import { words } from './payment-words.ts'

type Transfer = NonNullable<Payment['transfer']>

const chains = new Map<string, string>(Object.entries(words.chains))

export function chainName(chainId: number): string {
  return chains.get(String(chainId)) ?? words.chainById({ number: String(chainId) })
}

/** Returns the amount with a decimal point, which every wallet accepts: '14.990137'. */
export function amountInUnits({ amount, decimals }: Pick<Transfer, 'amount' | 'decimals'>): string {
  const digits = amount.padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

export function transferAddress({ chainId, token, recipient, amount }: Transfer): string {
  return `ethereum:${token}@${chainId}/transfer?address=${recipient}&uint256=${amount}`
}
