/** SQL queries for administrators, who add and change tags and categories. */
import { sql } from 'kysely'
import type { Context } from '../../context.ts'

const tagColumns = ['slug', 'label', 'description'] as const
const categoryColumns = ['id', 'slug', 'name', 'is_default as isDefault'] as const

type Page = { readonly after: number | undefined; readonly limit: number }

export function findTags(ctx: Context, { after, limit }: Page) {
  return ctx.db
    .selectFrom('tags')
    .select(tagColumns)
    .select('position')
    .where('position', '>', after ?? 0)
    .orderBy('position')
    .limit(limit)
    .execute()
}

/** Returns undefined when the slug is taken. */
export function insertTag(ctx: Context, tag: { slug: string; label: string; description: string }) {
  return ctx.db
    .insertInto('tags')
    .values(tag)
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returning(tagColumns)
    .executeTakeFirst()
}

export function updateTag(
  ctx: Context,
  slug: string,
  change: { label?: string | undefined; description?: string | undefined },
) {
  return ctx.db
    .updateTable('tags')
    .set(change)
    .where('slug', '=', slug)
    .returning(tagColumns)
    .executeTakeFirst()
}

export function findCategories(ctx: Context, { after, limit }: Page) {
  return ctx.db
    .selectFrom('categories')
    .select(categoryColumns)
    .where('id', '>', after ?? 0)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Returns undefined when the slug is taken. */
export function insertCategory(ctx: Context, category: { slug: string; name: string }) {
  return ctx.db
    .insertInto('categories')
    .values(category)
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returning(categoryColumns)
    .executeTakeFirst()
}

/** Locks all categories until the transaction ends, so that no slug is taken in the meantime. */
export async function lockCategory(ctx: Context, id: number) {
  await sql`lock table categories in share row exclusive mode`.execute(ctx.db)
  return ctx.db
    .selectFrom('categories')
    .select(categoryColumns)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Returns undefined when another category has the slug. */
export function updateCategory(
  ctx: Context,
  id: number,
  change: { slug?: string | undefined; name?: string | undefined },
) {
  return ctx.db
    .updateTable('categories')
    .set(change)
    .where('id', '=', id)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('categories as other')
            .select('other.id')
            .where('other.slug', '=', change.slug ?? '')
            .where('other.id', '<>', id),
        ),
      ),
    )
    .returning(categoryColumns)
    .executeTakeFirst()
}
