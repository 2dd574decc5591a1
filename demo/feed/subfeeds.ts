/** The subfeeds of the demo, with the scenes that each one shows. */
import type { SceneName } from '../painting/repertoire.ts'

export type Moving = {
  readonly scene: SceneName
  readonly as: 'webp' | 'gif' | 'webm'
}

export type Subfeed = {
  readonly name: string
  /** Scenes in turn. A scene that is listed twice appears twice as often. */
  readonly scenes: readonly SceneName[]
  readonly moving: readonly Moving[]
}

export const postsInSubfeed = 21

export const subfeeds: readonly Subfeed[] = [
  { name: 'mountainlight', scenes: ['ridges', 'lake', 'ridges'], moving: [] },
  {
    name: 'slowwater',
    scenes: ['sea', 'lake', 'sea'],
    moving: [{ scene: 'sea', as: 'webm' }],
  },
  { name: 'nightcities', scenes: ['skyline', 'lanterns', 'skyline', 'moon'], moving: [] },
  {
    name: 'chromatropes',
    scenes: ['chromatrope', 'marbling', 'chromatrope', 'papercut'],
    moving: [
      { scene: 'chromatrope', as: 'webp' },
      { scene: 'chromatrope', as: 'gif' },
      { scene: 'chromatrope', as: 'webp' },
      { scene: 'chromatrope', as: 'webp' },
    ],
  },
  {
    name: 'deepsky',
    scenes: ['planets', 'moon', 'galaxy'],
    moving: [{ scene: 'galaxy', as: 'webm' }],
  },
  {
    name: 'northernlights',
    scenes: ['aurora', 'lake', 'aurora', 'moon'],
    moving: [{ scene: 'aurora', as: 'webm' }],
  },
  { name: 'slowflight', scenes: ['balloons', 'ridges', 'lake'], moving: [] },
  { name: 'fullmoon', scenes: ['moon', 'sea', 'ridges'], moving: [] },
  { name: 'nocturnes', scenes: ['skyline', 'aurora', 'sea', 'lake'], moving: [] },
  { name: 'paper_theatre', scenes: ['papercut', 'balloons', 'marbling'], moving: [] },
  { name: 'imaginarymaps', scenes: ['contours', 'marbling', 'papercut', 'contours'], moving: [] },
  {
    name: 'lanternfestival',
    scenes: ['lanterns', 'balloons', 'lanterns', 'skyline'],
    moving: [{ scene: 'lanterns', as: 'webm' }],
  },
  {
    name: 'belowthesurface',
    scenes: ['jellyfish', 'papercut', 'jellyfish', 'marbling'],
    moving: [{ scene: 'jellyfish', as: 'webm' }],
  },
]
