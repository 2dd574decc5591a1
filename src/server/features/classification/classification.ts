/** The front door of tags and categories. */
import { problems } from '../../../contract/problems.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../http/problem.ts'
import { findCategory, findCategoryId, findKnownSlugs } from './queries.ts'

/** The slug of a category, by which another site may know it too. */
export { findCategorySlug } from './queries.ts'

/** Refuses a request that names a tag which does not exist. */
export async function refuseUnknownTags(
  ctx: Context,
  field: string,
  slugs: readonly string[],
): Promise<void> {
  if (slugs.length === 0) return
  const known = new Set(await findKnownSlugs(ctx, slugs))
  const unknown = slugs.filter((slug) => !known.has(slug))
  if (unknown.length === 0) return
  throw new Problem(problems.validationFailed, {
    message: `Validation failed: ${field} has unknown tags: ${unknown.join(', ')}`,
  })
}

/** The category that was asked for, or the default one for null. */
export async function chooseCategory(
  ctx: Context,
  categoryId: number | null,
): Promise<{ categoryId: number; categorySource: 'manual' | 'default' }> {
  const found = await findCategory(ctx, categoryId)
  if (found)
    return { categoryId: found.id, categorySource: categoryId === null ? 'default' : 'manual' }
  throw new Problem(problems.validationFailed, {
    message: 'Validation failed: categoryId is not a known category',
  })
}

/** Words from elsewhere: those that are known here, and those that are not. */
export async function sortTags(
  ctx: Context,
  slugs: readonly string[],
): Promise<{ known: string[]; unknown: string[] }> {
  const given = [...new Set(slugs)]
  const found = new Set(await findKnownSlugs(ctx, given))
  return {
    known: given.filter((slug) => found.has(slug)),
    unknown: given.filter((slug) => !found.has(slug)),
  }
}

/** The category of that name from elsewhere; null, which means the default one, where there is none. */
export async function matchCategory(ctx: Context, slug: string | null): Promise<number | null> {
  return slug === null ? null : findCategoryId(ctx, slug)
}
