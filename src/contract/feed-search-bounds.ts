/** The bounds of what a search of feeds may be asked to leave out, for pages and the service alike. */

export const mostExcluded = { addresses: 500, charactersEach: 2000, charactersInAll: 200_000 }
