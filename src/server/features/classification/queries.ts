/** The SQL of tags and categories. */
import type { Context } from '../../context.ts'

export function findTags(ctx: Context) {
  return ctx.db
    .selectFrom('tags')
    .select(['slug', 'label', 'description'])
    .orderBy('position')
    .execute()
}

export function findCategories(ctx: Context) {
  return ctx.db
    .selectFrom('categories')
    .select(['id', 'slug', 'name', 'is_default as isDefault'])
    .orderBy('id')
    .execute()
}

export async function findKnownSlugs(ctx: Context, slugs: readonly string[]): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('tags')
    .select('slug')
    .where((where) => where('slug', '=', where.fn.any(where.val([...slugs]))))
    .execute()
  return rows.map(({ slug }) => slug)
}

/** The default category for null. */
export function findCategory(ctx: Context, id: number | null) {
  const query = ctx.db.selectFrom('categories').select('id')
  return (
    id === null ? query.where('is_default', '=', true) : query.where('id', '=', id)
  ).executeTakeFirst()
}
