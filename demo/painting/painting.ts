/** A picture, animation or film that can be painted at any time, and the two files that it is stored in. */
import type { SceneName } from './repertoire.ts'

export type Painting = {
  readonly id: string
  readonly scene: SceneName
  readonly mood: string
  readonly seed: number
  readonly extension: 'jpg' | 'webp' | 'gif' | 'webm'
  readonly type: 'image' | 'gif' | 'video'
  readonly width: number
  readonly height: number
}

/** The unit of painting. Thumbnails are separate, so that a request for one does not wait for its film. */
export type PaintedFile = {
  readonly painting: Painting
  readonly part: 'whole' | 'thumbnail'
}

export function fileNameOf({ id, extension }: Painting): string {
  return `${id}.${extension}`
}

export function thumbnailNameOf({ id }: Painting): string {
  return `${id}-s.jpg`
}

export function nameOf({ painting, part }: PaintedFile): string {
  return part === 'whole' ? fileNameOf(painting) : thumbnailNameOf(painting)
}
