/** The limits of the exclusions in a feed search, shared by pages and service. */

export const maxExcluded = { addresses: 500, charactersEach: 2000, charactersInAll: 200_000 }
