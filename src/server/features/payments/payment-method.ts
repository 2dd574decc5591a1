/**
 * The ways to pay, as the feature sees them: each begins a payment on its far side. What a far side
 * tells us later is judged here too, since only its adapter knows how it proves who it is.
 */

declare module '../../context.ts' {
  interface Context {
    readonly payments: PaymentMethods
  }
}

export type Order = {
  /** What the far side is to call the payment by. */
  readonly reference: string
  readonly title: string
  readonly description: string
  readonly priceCents: number
}

/** Throws `ProviderUnavailable` where the far side does not answer as it should. */
type PaymentMethod<Checkout> = { readonly begin: (order: Order) => Promise<Checkout> }

export type Gateway = PaymentMethod<{ invoiceId: string; checkoutUrl: string }> & {
  readonly isGenuine: (body: unknown, signature: string | null) => boolean
}

export type StarsBot = PaymentMethod<{ invoiceLink: string }> & {
  readonly isGenuine: (secret: string | null) => boolean
  readonly starsFor: (priceCents: number) => number
  /** With a refusal the buyer is told why, and nothing is taken. */
  readonly answerPreCheckout: (queryId: string, refusal: string | null) => Promise<void>
  readonly refund: (charge: { telegramUserId: number; chargeId: string }) => Promise<void>
}

export type Chain = PaymentMethod<TransferTerms> & {
  readonly place: { readonly chainId: number; readonly token: string; readonly recipient: string }
  readonly confirmations: number
  /** As many as a node looks through in one answer. */
  readonly blocksAtOnce: number
  readonly findHead: () => Promise<number>
  readonly examine: (txHash: string) => Promise<Examined>
  /** Transfers of the token to the recipient, both blocks included. */
  readonly findTransfers: (blocks: { from: number; to: number }) => Promise<Transfer[]>
}

/** Amounts that pay: each is the price and a tail of its own, by which the payment is known. */
export type TransferTerms = {
  readonly leastAmount: bigint
  readonly mostAmount: bigint
  /** The newest block. */
  readonly head: number
}

export type Transfer = { readonly txHash: string; readonly block: number; readonly amount: bigint }

export type Examined =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'reverted' }
  | {
      readonly kind: 'mined'
      readonly block: number
      /** What it moved of the token to the recipient; other tokens and recipients are not here. */
      readonly amounts: readonly bigint[]
    }

/** Null where the method is not configured. */
export type PaymentMethods = {
  readonly crypto: Gateway | null
  readonly telegram_stars: StarsBot | null
  readonly web3: Chain | null
}

export type MethodName = keyof PaymentMethods

/**
 * The far side cannot be used at the moment. Its message is ours: what a far side or a library says
 * can hold the address, and with it a key.
 */
export class ProviderUnavailable extends Error {}
