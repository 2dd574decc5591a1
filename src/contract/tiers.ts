/** The ids of the tiers in ascending order, separate from the schemas because pages list them too. */
export const tiers = ['free', 'joi_curious', 'full_access', 'vip'] as const

export type Tier = (typeof tiers)[number]
