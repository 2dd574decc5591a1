/** Lists one's own files: synchronises the vault with the storage, filters and signs. */
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { api } from '../../../../contract/api.ts'
import { listIndex } from '../../../../contract/values.ts'
import { vaultCategories } from '../../../../contract/vault.ts'
import type { Context } from '../../../context.ts'
import { mediaUrlOf } from '../../../http/media/media-url.ts'
import { exactTime, readCursor, writeCursor } from '../../../http/page-cursor.ts'
import { JsonText } from '../../../http/reply.ts'
import type { Call } from '../../../http/route.ts'
import { ownFile, thumbnailKey } from '../media-files.ts'
import { findContents } from '../queries.ts'
import type { ListedRow, VaultFilter } from './list-queries.ts'
import { countCategories, countRows, findListed, listRows } from './list-queries.ts'
import { reconcileVault } from './reconciliation.ts'

type Query = Call<typeof api.vault.list>['query']

const vaultPosition = z.tuple([exactTime, listIndex])
const weekMs = 7 * 24 * 3600 * 1000
const filesInATurn = 500

export async function listMedia(ctx: Context, { user, query }: Call<typeof api.vault.list>) {
  const position = readCursor(vaultPosition, query.cursor)
  const after = position ? { createdAt: position[0], id: position[1] } : null
  await reconcileVault(ctx, user.id)
  const filter = filterOf(ctx, query)
  const limit = query.limit ?? null
  const isCounted = filter.since === undefined && filter.search === undefined
  const [rows, counts, found] = await Promise.all([
    // One extra row tells whether there is a next page.
    listRows(ctx, user.id, filter, { after, limit: limit === null ? null : limit + 1 }),
    countCategories(ctx, user.id),
    isCounted ? null : countRows(ctx, user.id, filter),
  ])
  const categories = Object.fromEntries(
    vaultCategories.map((category) => [category, counts.get(category) ?? 0]),
  )
  const totalCount =
    found ??
    vaultCategories
      .filter((category) => filter.category === undefined || filter.category === category)
      .reduce((sum, category) => sum + (counts.get(category) ?? 0), 0)
  const page = limit === null ? rows : rows.slice(0, limit)
  const last = rows.length > page.length ? page.at(-1) : undefined
  const files = await filesJson(ctx, user.id, page)
  const nextCursor = last ? writeCursor([last.createdAt, last.id]) : null
  const rest = JSON.stringify({ totalCount, categories, nextCursor })
  return new JsonText(`{"files":[${files}],${rest.slice(1)}`)
}

/** Returns which files of an upload are already in the vault. Clients ask before they send files. */
export async function findKnown(ctx: Context, { user, body }: Call<typeof api.vault.findKnown>) {
  return { known: await findContents(ctx, user.id, body.hashes) }
}

/** Returns one file in the same form as the list, as JSON text. */
export async function readFileJson(ctx: Context, userId: string, id: number): Promise<string> {
  const row = await findListed(ctx, userId, id)
  if (!row) throw new Error('the file is not in the vault')
  return fileJson(ctx, userId, row)
}

/** Yields to other requests after every 500 files: signing ten thousand addresses takes a while. */
async function filesJson(
  ctx: Context,
  userId: string,
  rows: readonly ListedRow[],
): Promise<string> {
  const files: string[] = []
  for (const row of rows) {
    files.push(fileJson(ctx, userId, row))
    if (files.length % filesInATurn === 0) await setImmediate()
  }
  return files.join(',')
}

/** Adds the addresses to the file's JSON. They contain no characters that JSON must escape. */
function fileJson(ctx: Context, userId: string, { json, id, filePath, widths }: ListedRow): string {
  const urlOf = (key: string) => mediaUrlOf(ctx, ownFile(key))
  const thumbnails = widths === '' ? [] : widths.split(' ')
  const made = thumbnails.map(
    (width) => `{"width":${width},"url":"${urlOf(thumbnailKey({ userId, id }, Number(width)))}"}`,
  )
  return `${json},"url":"${urlOf(filePath)}","thumbnails":[${made.join(',')}]}`
}

function filterOf(ctx: Context, { category, dateRange, search }: Query): VaultFilter {
  return {
    category: category === 'all' ? undefined : category,
    since: startOf(dateRange, ctx.now()),
    search: search === '' ? undefined : search,
  }
}

/** Returns the start of a date range. Days, months and years are in UTC. */
function startOf(dateRange: Query['dateRange'], now: Date): Date | undefined {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  switch (dateRange) {
    case 'today':
      return new Date(Date.UTC(year, month, day))
    case 'week':
      return new Date(now.getTime() - weekMs)
    case 'month':
      return new Date(Date.UTC(year, month, 1))
    case 'year':
      return new Date(Date.UTC(year, 0, 1))
    default:
      return undefined
  }
}
