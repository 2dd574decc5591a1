/** What the painter and its threads say to each other. */
import type { Painting } from './posts.ts'

export type PaintOrder = { readonly painting: Painting; readonly folder: string }
export type PaintAnswer = { readonly id: string; readonly problem: string | null }

/** Behind a dot, where no name of a painting can reach. */
export const draftPrefix = '.draft-'
