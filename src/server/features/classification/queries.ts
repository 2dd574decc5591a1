/** SQL queries of tags and categories. */
import type { Context } from '../../context.ts'
import { runStatement } from '../../database/statement.ts'

const tagsStatement = `
  select coalesce(json_agg(json_build_object('slug', slug, 'label', label,
    'description', description) order by position), '[]')::text as json
  from tags`

const categoriesStatement = `
  select coalesce(json_agg(json_build_object('id', id, 'slug', slug, 'name', name,
    'isDefault', is_default) order by id), '[]')::text as json
  from categories`

export function listTagsJson(ctx: Context): Promise<string> {
  return readJson(ctx, tagsStatement)
}

export function listCategoriesJson(ctx: Context): Promise<string> {
  return readJson(ctx, categoriesStatement)
}

async function readJson(ctx: Context, statement: string): Promise<string> {
  const [row] = await runStatement<{ json: string }>(ctx, statement)
  return row?.json ?? '[]'
}

export async function findKnownSlugs(ctx: Context, slugs: readonly string[]): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('tags')
    .select('slug')
    .where((where) => where('slug', '=', where.fn.any(where.val([...slugs]))))
    .execute()
  return rows.map(({ slug }) => slug)
}

/** Returns the default category for null. */
export function findCategory(ctx: Context, id: number | null) {
  const query = ctx.db.selectFrom('categories').select('id')
  return (
    id === null ? query.where('is_default', '=', true) : query.where('id', '=', id)
  ).executeTakeFirst()
}

export async function findCategorySlug(ctx: Context, id: number): Promise<string | null> {
  const row = await ctx.db
    .selectFrom('categories')
    .select('slug')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.slug ?? null
}

export async function findCategoryId(ctx: Context, slug: string): Promise<number | null> {
  const row = await ctx.db
    .selectFrom('categories')
    .select('id')
    .where('slug', '=', slug)
    .executeTakeFirst()
  return row?.id ?? null
}
