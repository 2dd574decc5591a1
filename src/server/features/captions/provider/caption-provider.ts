/** The common type of all caption providers. */
import type { Voice } from './voices.ts'

export type CaptionPurpose = 'playback' | 'manual' | 'rewrite'

/**
 * The facts about a slide. Strangers have written most of them, so prompts must treat them as data only.
 */
export type Material = {
  readonly title?: string | null | undefined
  /** The name that people other than the owner see. */
  readonly subfeed?: string | null | undefined
  /** The owner's instructions for the session's captions. */
  readonly wish?: string | null | undefined
  readonly sessionTitle?: string | null | undefined
  /** Zero-based. */
  readonly position?: { readonly index: number; readonly total: number } | undefined
  readonly previousCaptions?: readonly string[] | undefined
  readonly nextCaptions?: readonly string[] | undefined
  readonly steering?: string | null | undefined
  readonly stage?: 'new_session' | 'existing_session' | null | undefined
  /** The caption to rewrite. */
  readonly caption?: string | undefined
  readonly instruction?: string | null | undefined
}

export type CaptionOrder = {
  readonly purpose: CaptionPurpose
  readonly voice: Voice
  readonly material: Material
  /** A JPEG of at most 1024 pixels on each side; null for a rewrite, which needs no picture. */
  readonly picture: Buffer | null
}

export type CaptionProvider = {
  readonly name: 'openai' | 'demo' | 'off'
  readonly model: string | null
  /**
   * Requests a caption once and returns the raw answer. Rejects with CaptionFailed or another error.
   * `attempt` starts at 1.
   */
  ask(order: CaptionOrder, options: { attempt: number; signal: AbortSignal }): Promise<string>
}

/** The reasons of a failure. 'minor': the picture may show a minor; this refusal is final. */
export type CaptionFault =
  | 'not_configured'
  | 'policy'
  | 'minor'
  | 'image_unsupported'
  | 'failed'
  | 'timeout'

export class CaptionFailed extends Error {
  override name = 'CaptionFailed'
  readonly fault: CaptionFault

  constructor(fault: CaptionFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.fault = fault
  }
}

/** Creates a provider for sites without captions, or without the provider's key. */
export function createOffProvider(): CaptionProvider {
  return {
    name: 'off',
    model: null,
    ask: async () => {
      throw new CaptionFailed('not_configured', 'Captions are turned off')
    },
  }
}
