/** A transfer as wallets read it (EIP-681), and as people do. */
import type { Payment } from './payment-data.ts'
import { words } from './payment-words.ts'

type Transfer = NonNullable<Payment['transfer']>

/** The names by which wallets list them. */
const chains = new Map([
  [1, 'Ethereum'],
  [10, 'Optimism'],
  [56, 'BNB Smart Chain'],
  [100, 'Gnosis'],
  [137, 'Polygon'],
  [8453, 'Base'],
  [42_161, 'Arbitrum One'],
  [43_114, 'Avalanche'],
])

export function chainName(chainId: number): string {
  return chains.get(chainId) ?? words.chainById({ number: String(chainId) })
}

/** With a point, as every wallet takes it: '14.990137'. */
export function amountInUnits({ amount, decimals }: Pick<Transfer, 'amount' | 'decimals'>): string {
  const digits = amount.padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

export function transferAddress({ chainId, token, recipient, amount }: Transfer): string {
  return `ethereum:${token}@${chainId}/transfer?address=${recipient}&uint256=${amount}`
}
