/**
 * Sessions that are adult as a whole (contract 4.2): their owner said so, or their theme is adult. This
 * file alone says which sessions those are and who may see them. A session that only has some adult
 * slides is not one of them: others see the rest of it.
 */
import { problem } from '../../http/problem.ts'

/** SQL: whether the session in this row of `sessions` is adult as a whole. */
export const sessionIsAdult = (row: string) =>
  `(${row}.nsfw_given or coalesce(${row}.caption_theme, 'custom') <> 'custom')`

/** SQL: whether a slide `m` of a session `s` is for adults, by itself or by its session. */
export const slideIsForAdults = `(m.nsfw or ${sessionIsAdult('s')})`

type Viewer = { readonly isOwner: boolean; readonly isAgeVerified: boolean }

/** Returns whether the viewer may see adult slides of a session, and sessions that are adult as a whole. */
export function maySeeAdult({ isOwner, isAgeVerified }: Viewer): boolean {
  return isOwner || isAgeVerified
}

/** Returns whether the viewer's age lets them see anything of a session. */
export function isOfAgeFor({
  isAdult,
  ...viewer
}: Viewer & { readonly isAdult: boolean }): boolean {
  return !isAdult || maySeeAdult(viewer)
}

export function adultsOnly() {
  return problem.ageVerificationRequired({ message: 'This session is for age-verified accounts' })
}
