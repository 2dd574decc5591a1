/**
 * Moves any number of items to the trash, restores them, or deletes them permanently, in batches. It waits
 * and retries after a rate limit or a broken connection.
 */
import type { QueryClient } from '@tanstack/react-query'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { retryDelay } from '../../uploads/retry-delay.ts'

export type TrashItem = { readonly kind: 'media' | 'session'; readonly id: number }

type Failed = TrashItem & { readonly reason: 'not_found' | 'blocked' }

export type Outcome = {
  readonly done: readonly TrashItem[]
  /** Items that moderation has hidden. */
  readonly blocked: readonly TrashItem[]
  /** Items without a known result, because of `problem`. */
  readonly left: readonly TrashItem[]
  readonly problem: unknown
}

/** The maximum number of items in one request. */
const maxConcurrent = 500

export function putInTrash(items: readonly TrashItem[]): Promise<Outcome> {
  return inParts(items, async (body) => (await client.trash.put({ body })).failed)
}

export function restoreItems(items: readonly TrashItem[]): Promise<Outcome> {
  return inParts(items, async (body) => (await client.trash.restore({ body })).failed)
}

export function endItems(items: readonly TrashItem[]): Promise<Outcome> {
  return inParts(items, async (body) => {
    await client.trash.empty({ body })
    return []
  })
}

/**
 * Reloads everything that shows files or sessions, also in the community: the trash withdraws them. Removes
 * vault lists that are not displayed, so that they are read again.
 */
export async function refreshAfterTrash(queryClient: QueryClient): Promise<void> {
  queryClient.removeQueries({ queryKey: keys.vault.lists, type: 'inactive' })
  await Promise.all(
    [
      keys.trash,
      keys.vault.storage,
      keys.vault.filesToAdd,
      keys.session.all,
      keys.sessions.all,
      keys.community.all,
    ].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  )
}

/**
 * Sends the items in batches. An item that no longer exists counts as done: an earlier response may have been
 * lost.
 */
async function inParts(
  items: readonly TrashItem[],
  call: (body: { items: TrashItem[] }) => Promise<readonly Failed[]>,
): Promise<Outcome> {
  const done: TrashItem[] = []
  const blocked: TrashItem[] = []
  for (let from = 0; from < items.length; from += maxConcurrent) {
    const part = items.slice(from, from + maxConcurrent)
    try {
      const failed = await patiently(() =>
        call({ items: part.map(({ kind, id }) => ({ kind, id })) }),
      )
      const refused = failed.filter(({ reason }) => reason === 'blocked')
      for (const item of part)
        (refused.some((one) => isSame(one, item)) ? blocked : done).push(item)
    } catch (problem) {
      return { done, blocked, left: items.slice(from), problem }
    }
  }
  return { done, blocked, left: [], problem: null }
}

async function patiently<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1)
    try {
      return await call()
    } catch (error) {
      const delay = retryDelay(error, tries)
      if (delay === null) throw error
      await new Promise((resolve) => setTimeout(resolve, delay.ms))
    }
}

function isSame(one: TrashItem, other: TrashItem): boolean {
  return one.id === other.id && one.kind === other.kind
}
