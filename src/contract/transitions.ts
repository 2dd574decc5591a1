/** The names of the transitions between slides, separate from the schemas because pages list them too. */
export const transitions = ['fade', 'slide', 'zoom', 'flip', 'none'] as const
