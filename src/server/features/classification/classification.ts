/** The functions of tags and categories that other features may use. */
import { problems } from '../../../contract/problems.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../http/problem.ts'
import { findCategory, findCategoryId, findKnownSlugs } from './queries.ts'

/** Returns the slug of a category, which other sites may know too. */
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

/** Returns the requested category, or the default one for null. */
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

/** Separates tags from elsewhere into known and unknown ones. */
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

/**
 * Returns the category with this slug, from another site. Returns null, which means the default one, if
 * there is none.
 */
export async function matchCategory(ctx: Context, slug: string | null): Promise<number | null> {
  return slug === null ? null : findCategoryId(ctx, slug)
}
