/** The subfeeds of the demo: what each shows, and how often. */
import type { SceneName } from './repertoire.ts'

export type Moving = {
  readonly scene: SceneName
  readonly as: 'webp' | 'gif' | 'webm'
}

export type Subfeed = {
  readonly name: string
  /** Scenes by turns; one named twice comes twice as often. */
  readonly scenes: readonly SceneName[]
  readonly moving: readonly Moving[]
}

export const postsInSubfeed = 21

export const subfeeds: readonly Subfeed[] = [
  { name: 'mountainlight', scenes: ['ridges', 'lake', 'cloudsea'], moving: [] },
  {
    name: 'slowwater',
    scenes: ['sea', 'lake', 'woodblock', 'sea'],
    moving: [{ scene: 'sea', as: 'webm' }],
  },
  {
    name: 'nightcities',
    scenes: ['skyline', 'bokeh', 'skyline', 'rainglass'],
    moving: [{ scene: 'bokeh', as: 'webp' }],
  },
  {
    name: 'chromatropes',
    scenes: ['chromatrope', 'stainedglass', 'chromatrope', 'flowlines'],
    moving: [
      { scene: 'chromatrope', as: 'webp' },
      { scene: 'chromatrope', as: 'gif' },
      { scene: 'chromatrope', as: 'webp' },
      { scene: 'chromatrope', as: 'webp' },
    ],
  },
  { name: 'desertroads', scenes: ['dunes', 'mesas'], moving: [] },
  {
    name: 'deepsky',
    scenes: ['planets', 'moon', 'galaxy'],
    moving: [{ scene: 'galaxy', as: 'webp' }],
  },
  {
    name: 'northernlights',
    scenes: ['aurora', 'snowfield', 'aurora', 'moon'],
    moving: [{ scene: 'aurora', as: 'webm' }],
  },
  {
    name: 'quietwoods',
    scenes: ['forest', 'blossom', 'forest', 'snowfield'],
    moving: [{ scene: 'blossom', as: 'webp' }],
  },
  { name: 'sunlitrooms', scenes: ['stairs', 'colonnade', 'stilllife'], moving: [] },
  { name: 'pressedflowers', scenes: ['botanical', 'meadow', 'blossom'], moving: [] },
  {
    name: 'paper_theatre',
    scenes: ['papercut', 'woodblock', 'flowlines', 'balloons'],
    moving: [{ scene: 'balloons', as: 'webp' }],
  },
  {
    name: 'imaginarymaps',
    scenes: ['contours', 'marbling', 'papercut', 'contours'],
    moving: [{ scene: 'marbling', as: 'webp' }],
  },
  {
    name: 'lanternfestival',
    scenes: ['lanterns', 'bokeh', 'balloons', 'lanterns'],
    moving: [{ scene: 'lanterns', as: 'webm' }],
  },
  {
    name: 'belowthesurface',
    scenes: ['jellyfish', 'papercut', 'jellyfish', 'marbling'],
    moving: [{ scene: 'jellyfish', as: 'webm' }],
  },
  {
    name: 'rainywindows',
    scenes: ['rainglass', 'skyline'],
    moving: [{ scene: 'rainglass', as: 'webp' }],
  },
]
