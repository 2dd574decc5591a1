/**
 * The names of the transitions between slides. They are separate from the schemas because pages list them
 * too.
 */
export const transitions = ['fade', 'slide', 'zoom', 'flip', 'none'] as const
