/**
 * Adult publications and who may see them. A publication is adult by its own rating. It is also adult
 * while its owner rates the original session as adult, or the original's theme is adult.
 */
import { problem } from '../../http/problem.ts'
import { adultsOnly, isOfAgeFor } from '../visibility/visibility.ts'

/**
 * Refuses adult publications to viewers without a verified age. One that is adult only by its own
 * rating looks like a missing one.
 */
export function refuseUnverified(
  { ageVerified: isAgeVerified }: { readonly ageVerified: boolean },
  { isAdult, nsfw }: { readonly isAdult: boolean; readonly nsfw: boolean },
): void {
  if (!isOfAgeFor({ isAdult, isOwner: false, isAgeVerified })) throw adultsOnly()
  if (nsfw && !isAgeVerified) throw problem.notPublic()
}
