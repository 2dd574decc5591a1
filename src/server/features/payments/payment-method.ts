/**
 * The interfaces of payment methods. Each adapter starts payments with its provider. It also verifies the
 * provider's messages, because only the adapter knows how they are authenticated.
 */

declare module '../../context.ts' {
  interface Context {
    readonly payments: PaymentMethods
  }
}

export type Order = {
  /** The reference that the provider stores for the payment. */
  readonly reference: string
  readonly title: string
  readonly description: string
  readonly priceCents: number
}

/** Throws `ProviderUnavailable` when the provider does not answer as it should. */
type PaymentMethod<Checkout> = { readonly begin: (order: Order) => Promise<Checkout> }

export type Gateway = PaymentMethod<{ invoiceId: string; checkoutUrl: string }> & {
  readonly isGenuine: (body: unknown, signature: string | null) => boolean
}

export type StarsBot = PaymentMethod<{ invoiceLink: string }> & {
  readonly isGenuine: (secret: string | null) => boolean
  readonly starsFor: (priceCents: number) => number
  /** Answers a pre-checkout query. With a refusal, the buyer sees the reason and nothing is charged. */
  readonly answerPreCheckout: (queryId: string, refusal: string | null) => Promise<void>
  readonly refund: (charge: { telegramUserId: number; chargeId: string }) => Promise<void>
}

export type Chain = PaymentMethod<TransferTerms> & {
  readonly destination: {
    readonly chainId: number
    readonly token: string
    readonly recipient: string
  }
  readonly confirmations: number
  /** The maximum of blocks that a node searches in one request. */
  readonly blocksAtOnce: number
  readonly findHead: () => Promise<number>
  readonly examine: (txHash: string) => Promise<Examined>
  /** Returns transfers of the token to the recipient, with both blocks included. */
  readonly findTransfers: (blocks: { from: number; to: number }) => Promise<Transfer[]>
}

/** The range of amounts for a payment: the price plus a distinct tail that identifies the payment. */
export type TransferTerms = {
  readonly minAmount: bigint
  readonly maxAmount: bigint
  /** The number of the newest block. */
  readonly head: number
}

export type Transfer = { readonly txHash: string; readonly block: number; readonly amount: bigint }

export type Examined =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'reverted' }
  | {
      readonly kind: 'mined'
      readonly block: number
      /** Amounts of the token sent to the recipient. Other tokens and recipients are left out. */
      readonly amounts: readonly bigint[]
    }

/** Each is null when it is not configured. */
export type PaymentMethods = {
  readonly crypto: Gateway | null
  readonly telegram_stars: StarsBot | null
  readonly web3: Chain | null
}

export type MethodName = keyof PaymentMethods

/**
 * Thrown when a provider cannot be used at the moment. The message is our own, because messages of
 * providers and libraries can contain the URL with a key.
 */
export class ProviderUnavailable extends Error {}
