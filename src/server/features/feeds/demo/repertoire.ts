/** What can be painted: every scene with the moods it knows and the shapes it looks well in. */

export const shapes = {
  landscape: { width: 1280, height: 800 },
  portrait: { width: 864, height: 1280 },
  square: { width: 1056, height: 1056 },
} as const

export type Shape = keyof typeof shapes

export const repertoire = {
  ridges: {
    moods: ['dawn', 'dusk', 'haze', 'night', 'storm', 'autumn'],
    shapes: ['landscape', 'landscape', 'portrait'],
  },
  lake: { moods: ['dawn', 'noon', 'dusk', 'night'], shapes: ['landscape', 'square', 'landscape'] },
  sea: {
    moods: ['sunrise', 'sunset', 'moonlit', 'storm'],
    shapes: ['landscape', 'landscape', 'portrait'],
  },
  forest: {
    moods: ['mist', 'autumn', 'night', 'spring'],
    shapes: ['portrait', 'landscape', 'square'],
  },
  dunes: {
    moods: ['day', 'dusk', 'dawn', 'night'],
    shapes: ['landscape', 'landscape', 'square', 'portrait'],
  },
  stairs: { moods: ['noon', 'evening', 'moonlight'], shapes: ['landscape', 'portrait', 'square'] },
  colonnade: {
    moods: ['morning', 'evening', 'moonlight'],
    shapes: ['portrait', 'landscape', 'square'],
  },
  stilllife: { moods: ['north', 'evening', 'candle'], shapes: ['square', 'portrait', 'landscape'] },
  aurora: { moods: ['green', 'violet', 'crimson'], shapes: ['landscape', 'portrait'] },
} as const satisfies Record<string, { moods: readonly string[]; shapes: readonly Shape[] }>

export type SceneName = keyof typeof repertoire
export type MoodOf<Name extends SceneName> = (typeof repertoire)[Name]['moods'][number]

/** One picture to paint. `phase` runs from 0 to 1 through an animation and joins at its ends. */
export type Commission<Name extends SceneName = SceneName> = {
  readonly seed: number
  readonly mood: MoodOf<Name>
  readonly width: number
  readonly height: number
  readonly phase: number
}

/** Paints a picture as bytes of red, green and blue; the same commission gives the same bytes. */
export type Scene<Name extends SceneName> = (commission: Commission<Name>) => Uint8Array
