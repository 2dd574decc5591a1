/** The interface of providers that enlarge and improve pictures. */
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
   * Returns the frame's picture at twice its size and in its own format, or null when there is no result.
   * Fails with ProviderUnavailable when the provider cannot enhance it, and with UnsafePicture when it
   * must not. Ends with the signal, even while it waits for a turn.
   */
  enhance(frame: Frame, options: EnhanceOptions): Promise<Uint8Array | null>
}

export type EnhanceOptions = { readonly signal: AbortSignal; readonly budgetMs: number }

export type Enhancers = {
  readonly providers: Readonly<Record<ProviderName, Enhancer>>
  /** The time limit of each provider, by the requested quality. */
  readonly budgetMs: Readonly<Record<Quality, number>>
  /** The time that running work may still take after the node starts to stop. */
  readonly stopGraceMs: number
  /** Limits concurrent enhancements on this node, including the pictures in memory. */
  readonly semaphore: Semaphore
  readonly longestWaitMs: number
  close(): Promise<void>
}

/** The factor of enlargement in each direction. */
export const enlargement = 2

export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable'
}

/** Thrown when a provider refuses the picture for safety. No other provider may be tried. */
export class UnsafePicture extends Error {
  override name = 'UnsafePicture'
}
