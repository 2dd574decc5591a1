/** The bounds of enhancement, for the pages too, which load no schema for them. */

export const consentPolicyVersion = 1
export const enhancementMaxBytes = 25 * 1_048_576
export const enhancementsADay = 30
export const enhancementsAtOnce = 3
