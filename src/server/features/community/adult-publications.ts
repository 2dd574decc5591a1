/**
 * Published sessions that are adult, and who may see them. Besides its own mark, a publication is adult
 * while its owner calls the session so, or its theme is adult.
 */
import { problem } from '../../http/problem.ts'
import { adultsOnly, isOfAgeFor, sessionIsAdult } from '../visibility/visibility.ts'

/** SQL: whether the session behind this row of `community_sessions` is adult as a whole. */
export const publishedIsAdult = (row: string) =>
  `exists (select from sessions original
    where original.id = ${row}.session_id and ${sessionIsAdult('original')})`

/** Publications that are adult in another way are not there for those whose age is not verified. */
export function refuseUnverified(
  { ageVerified: isAgeVerified }: { readonly ageVerified: boolean },
  { isAdult, nsfw }: { readonly isAdult: boolean; readonly nsfw: boolean },
): void {
  if (!isOfAgeFor({ isAdult, isOwner: false, isAgeVerified })) throw adultsOnly()
  if (nsfw && !isAgeVerified) throw problem.notPublic()
}
