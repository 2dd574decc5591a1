/**
 * Sessions that are adult as a whole (contract 4.2): their owner rated them so, or their theme is
 * adult. Only this file decides which sessions those are and who may see them. A session with some
 * adult slides is not adult as a whole: other people see its other slides.
 */
import { problem } from '../../http/problem.ts'

/** SQL: true when the session in this row of `sessions` is adult as a whole. */
export const sessionIsAdult = (row: string) =>
  `(${row}.nsfw_given or coalesce(${row}.caption_theme, 'custom') <> 'custom')`

/** SQL: true when the original session of this row of `community_sessions` is adult as a whole. */
export const publishedIsAdult = (row: string) =>
  `exists (select from sessions original
    where original.id = ${row}.session_id and ${sessionIsAdult('original')})`

/** SQL: true when a slide `m` of a session `s` is adult, by itself or by its session. */
export const slideIsForAdults = `(m.nsfw or ${sessionIsAdult('s')})`

type Viewer = { readonly isOwner: boolean; readonly isAgeVerified: boolean }

/** Returns the facts that decide. The user is null for a caller without an account. */
export function viewerOf(
  user: { readonly id: string; readonly ageVerified: boolean } | null,
  ownerId: string,
): Viewer {
  return { isOwner: user?.id === ownerId, isAgeVerified: user?.ageVerified ?? false }
}

/** Tells whether the viewer may see adult slides and sessions that are adult as a whole. */
export function maySeeAdult({ isOwner, isAgeVerified }: Viewer): boolean {
  return isOwner || isAgeVerified
}

/** Tells whether the viewer's age allows any view of the session. */
export function isOfAgeFor({
  isAdult,
  ...viewer
}: Viewer & { readonly isAdult: boolean }): boolean {
  return !isAdult || maySeeAdult(viewer)
}

export function adultsOnly() {
  return problem.ageVerificationRequired({ message: 'This session is for age-verified accounts' })
}
