/** Tags and categories, which administrators can add and change (contract 1.9). */
import type { api } from '../../../contract/api.ts'
import type { Context } from '../../context.ts'
import { atomically } from '../../database/atomically.ts'
import type { SignedInUser, Visitor } from '../../http/caller.ts'
import { indexPosition, pageOf, readCursor } from '../../http/page-cursor.ts'
import { problem } from '../../http/problem.ts'
import type { Call } from '../../http/route.ts'
import { logActivity } from '../activity/activity.ts'
import {
  findCategories,
  findTags,
  insertCategory,
  insertTag,
  lockCategory,
  updateCategory,
  updateTag,
} from './administration-queries.ts'

export async function listTags(ctx: Context, { query }: Call<typeof api.admin.tags>) {
  const after = readCursor(indexPosition, query.cursor)?.[0]
  const rows = await findTags(ctx, { after, limit: query.limit + 1 })
  return pageOf(rows, query.limit, {
    present: ({ slug, label, description }) => ({ slug, label, description }),
    positionOf: ({ position }) => [position],
  })
}

export function createTag(ctx: Context, { user, visitor, body }: Call<typeof api.admin.createTag>) {
  return atomically(ctx, async (ctx) => {
    const made = await insertTag(ctx, body)
    if (!made) throw alreadyThere(body.slug)
    await logChange(ctx, user, visitor, { tag: body.slug, created: body })
    return made
  })
}

export function changeTag(
  ctx: Context,
  { user, visitor, params, body }: Call<typeof api.admin.changeTag>,
) {
  return atomically(ctx, async (ctx) => {
    const changed = await updateTag(ctx, params.slug, body)
    if (!changed) throw problem.notFound()
    await logChange(ctx, user, visitor, { tag: params.slug, changed: body })
    return changed
  })
}

export async function listCategories(ctx: Context, { query }: Call<typeof api.admin.categories>) {
  const after = readCursor(indexPosition, query.cursor)?.[0]
  const rows = await findCategories(ctx, { after, limit: query.limit + 1 })
  return pageOf(rows, query.limit, { present: (row) => row, positionOf: ({ id }) => [id] })
}

export function createCategory(
  ctx: Context,
  { user, visitor, body }: Call<typeof api.admin.createCategory>,
) {
  return atomically(ctx, async (ctx) => {
    const made = await insertCategory(ctx, body)
    if (!made) throw alreadyThere(body.slug)
    await logChange(ctx, user, visitor, { category: made.id, created: body })
    return made
  })
}

export function changeCategory(
  ctx: Context,
  { user, visitor, params, body }: Call<typeof api.admin.changeCategory>,
) {
  return atomically(ctx, async (ctx) => {
    const category = await lockCategory(ctx, params.id)
    if (!category) throw problem.notFound()
    if (category.isDefault) throw problem.defaultCategory()
    const changed = await updateCategory(ctx, params.id, body)
    if (!changed) throw alreadyThere(body.slug ?? category.slug)
    await logChange(ctx, user, visitor, { category: params.id, changed: body })
    return changed
  })
}

function alreadyThere(slug: string) {
  return problem.alreadyExists({ message: `${slug} exists already` })
}

function logChange(
  ctx: Context,
  user: SignedInUser,
  visitor: Visitor,
  details: Record<string, unknown>,
): Promise<void> {
  return logActivity(ctx, visitor, {
    userId: user.id,
    action: 'admin_changed',
    feature: 'administration',
    details,
  })
}
