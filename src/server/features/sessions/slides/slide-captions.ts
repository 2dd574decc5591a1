/** A session's slides for whoever captions them. */
import type { Context } from '../../../context.ts'
import type { SlideToCaption } from './caption-queries.ts'
import { findSlidesToCaption, setAiCaption } from './caption-queries.ts'

export type { SlideToCaption } from './caption-queries.ts'

/** In their order. */
export function listSlidesToCaption(ctx: Context, sessionId: number): Promise<SlideToCaption[]> {
  return findSlidesToCaption(ctx, sessionId)
}

/** What can be looked at to caption a slide: moving ones by their still; null where there is none. */
export function stillOf({ type, mediaUrl, thumbnail }: SlideToCaption): string | null {
  return type === 'image' ? mediaUrl : thumbnail
}

/** False where the slide is gone. */
export function keepAiCaption(
  ctx: Context,
  slide: { sessionId: number; mediaId: number },
  caption: string,
): Promise<boolean> {
  return setAiCaption(ctx, slide, caption)
}
