/** The trash: deleted items that can be restored for 30 days (contract, section 15). */
import { z } from 'zod'
import { endpoint, json } from './endpoint.ts'
import { pageLimit, rowId, timestamp } from './values.ts'

const kind = z.enum(['media', 'session'])
const trashItem = z.object({ kind, id: rowId })

const someItems = z.array(trashItem).min(1).max(500)

const failed = z.array(
  trashItem.extend({
    /** 'blocked': moderation has hidden it or its picture meanwhile. */
    reason: z.enum(['not_found', 'blocked']),
  }),
)

export const trash = {
  list: endpoint({
    method: 'GET',
    path: '/api/trash',
    summary: 'The caller’s trash, latest first.',
    who: 'user',
    query: z.object({
      limit: pageLimit(100).default(30),
      cursor: z.string().max(200).optional(),
    }),
    answer: json(
      200,
      z.object({
        items: z.array(
          trashItem.extend({
            name: z.string(),
            /** Items in the trash have no address. */
            thumbnail: z.null(),
            deletedAt: timestamp,
            purgeAt: timestamp,
          }),
        ),
        nextCursor: z.string().nullable(),
      }),
    ),
    failures: [],
  }),
  put: endpoint({
    method: 'POST',
    path: '/api/trash',
    summary: 'Move many files and sessions to the trash.',
    who: 'user',
    body: z.object({ items: someItems }),
    answer: json(200, z.object({ trashed: z.int(), failed })),
    failures: [],
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/trash/restore',
    summary: 'Restore items from the trash.',
    who: 'user',
    body: z.object({ items: someItems }),
    answer: json(200, z.object({ restored: z.int(), failed })),
    failures: [],
  }),
  empty: endpoint({
    method: 'DELETE',
    path: '/api/trash',
    summary: 'Delete items in the trash for good: the given ones, or all.',
    who: 'user',
    // Strict: a list under a misspelt name would otherwise mean everything.
    body: z.strictObject({ items: someItems.optional() }).default({}),
    answer: json(200, z.object({ deleted: z.int() })),
    failures: [],
  }),
}
