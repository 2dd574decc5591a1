/** A picture, animation or film that can be painted at any time, and the two files it becomes. */
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

/** What is painted at a time: nobody who looks at a thumbnail waits for the film behind it. */
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
