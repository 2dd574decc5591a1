/** The limits of enhancement. The pages use them too, without loading a schema. */

export const consentPolicyVersion = 1
export const enhancementMaxBytes = 25 * 1_048_576
export const enhancementsADay = 30
export const enhancementsAtOnce = 3
