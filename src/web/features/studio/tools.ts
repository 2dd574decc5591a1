/** The tools of the studio: their names, icons and prices. */
import { Columns2, Film, ImageUpscale, type LucideIcon, SquareDashed } from 'lucide-react'
import { words } from './words.ts'

export type StudioTool = 'compose' | 'animate' | 'censor' | 'enhance'

/** The feature keys of the API. */
export const featureKeys = {
  compose: 'babecock_generate',
  remix: 'babecock_remix',
  animate: 'hypnococks_generate',
  censor: 'image_censor',
  low: 'image_enhance_low',
  high: 'image_enhance_high',
} as const

export const tools: readonly {
  readonly tool: StudioTool
  readonly label: string
  readonly means: string
  readonly icon: LucideIcon
  readonly featureKey: string
}[] = [
  {
    tool: 'compose',
    label: words.compose,
    means: words.composeMeans,
    icon: Columns2,
    featureKey: featureKeys.compose,
  },
  {
    tool: 'animate',
    label: words.animate,
    means: words.animateMeans,
    icon: Film,
    featureKey: featureKeys.animate,
  },
  {
    tool: 'censor',
    label: words.censor,
    means: words.censorMeans,
    icon: SquareDashed,
    featureKey: featureKeys.censor,
  },
  {
    tool: 'enhance',
    label: words.enhance,
    means: words.enhanceMeans,
    icon: ImageUpscale,
    featureKey: featureKeys.low,
  },
]
