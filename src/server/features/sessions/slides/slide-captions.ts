/** A session's slides for whoever captions them. */
import type { SlideToCaption } from './caption-queries.ts'

/** What can be looked at to caption a slide: moving ones by their still; null where there is none. */
export function stillOf({ type, mediaUrl, thumbnail }: SlideToCaption): string | null {
  return type === 'image' ? mediaUrl : thumbnail
}
