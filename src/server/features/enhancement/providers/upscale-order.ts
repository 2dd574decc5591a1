/** Messages between the service and the thread that runs the network. */
import type { Pixels } from './tiles.ts'

export type UpscaleOrder = {
  readonly picture: Pixels
  /** The alpha channel at the new size, if the picture has one. */
  readonly enlargedAlpha: Uint8Array | null
}

export type UpscaleAnswer =
  | { readonly kind: 'tile'; readonly pixels: number; readonly ms: number }
  | { readonly kind: 'done'; readonly enlarged: Pixels }
  | { readonly kind: 'failed'; readonly reason: string }

export type UpscaleWorkerData = { readonly threads: number }
