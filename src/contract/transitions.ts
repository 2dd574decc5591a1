/** How one slide gives way to the next, by name: without a schema, since pages list them too. */
export const transitions = ['fade', 'slide', 'zoom', 'flip', 'none'] as const
