/** The front door of tags and categories. */
import { problems } from '../../../contract/problems.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../problem.ts'
import { findCategory, findKnownSlugs } from './queries.ts'

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
