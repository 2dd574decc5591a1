/** What writes captions: one type, whatever stands behind it. */
import type { Voice } from './voices.ts'

export type CaptionPurpose = 'playback' | 'manual' | 'rewrite'

/** What is known about a slide. Strangers have written most of it, so it is only ever material. */
export type Material = {
  readonly title?: string | null | undefined
  readonly subfeed?: string | null | undefined
  /** How the session's owner wants captions to be. */
  readonly wish?: string | null | undefined
  readonly sessionTitle?: string | null | undefined
  /** Counted from 0. */
  readonly place?: { readonly index: number; readonly total: number } | undefined
  readonly previousCaptions?: readonly string[] | undefined
  readonly nextCaptions?: readonly string[] | undefined
  readonly steering?: string | null | undefined
  readonly stage?: 'new_session' | 'existing_session' | null | undefined
  /** What is to be written anew. */
  readonly caption?: string | undefined
  readonly instruction?: string | null | undefined
}

export type CaptionOrder = {
  readonly purpose: CaptionPurpose
  readonly voice: Voice
  readonly material: Material
  /** A JPEG of at most 1024 pixels a side; null where only words are rewritten. */
  readonly picture: Buffer | null
}

export type CaptionProvider = {
  readonly name: 'openai' | 'demo' | 'off'
  readonly model: string | null
  /**
   * One try, answered as it came. Rejects with CaptionFailed, or with whatever broke. `attempt`
   * counts from 1.
   */
  ask(order: CaptionOrder, options: { attempt: number; signal: AbortSignal }): Promise<string>
}

/** 'minor': the refusal says that the picture may show one, and is final. */
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

/** For an installation without captions, or whose provider lacks its key. */
export function createOffProvider(): CaptionProvider {
  return {
    name: 'off',
    model: null,
    ask: async () => {
      throw new CaptionFailed('not_configured', 'Captions are turned off')
    },
  }
}
