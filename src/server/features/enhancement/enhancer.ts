/** What makes a picture larger and clearer, and what all such providers have in common. */
import type { ProviderName, Quality } from '../../../contract/enhancement.ts'
import type { Semaphore } from '../../platform/concurrency/semaphore.ts'
import type { Frame } from './frame.ts'

declare module '../../context.ts' {
  interface Context {
    readonly enhancers: Enhancers
  }
}

export type Enhancer = {
  isAvailable(): boolean
  /**
   * The picture within the frame at twice its size, in its own format; null where nothing came of
   * it. Fails with ProviderUnavailable where it cannot be done at all, and with UnsafePicture where
   * it must not be. Ends when the signal says so; waiting for a turn counts.
   */
  enhance(frame: Frame, options: EnhanceOptions): Promise<Uint8Array | null>
}

export type EnhanceOptions = { readonly signal: AbortSignal; readonly budgetMs: number }

export type Enhancers = {
  readonly providers: Readonly<Record<ProviderName, Enhancer>>
  /** How long each provider has, by the quality that was asked for. */
  readonly budgetMs: Readonly<Record<Quality, number>>
  /** How long what runs goes on when the node has begun to stop. */
  readonly stopGraceMs: number
  /** How many enhancements this node holds at once, pictures and all. */
  readonly semaphore: Semaphore
  readonly longestWaitMs: number
  close(): Promise<void>
}

/** How much larger a picture becomes, each way. */
export const enlargement = 2

export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable'
}

/** A provider will not work on this picture, and no other is to be asked. */
export class UnsafePicture extends Error {
  override name = 'UnsafePicture'
}
