/**
 * Moves files to the trash. They are hidden at once, before the response, but stay in the cached lists while
 * the message with the undo button is visible.
 */
import type { QueryClient } from '@tanstack/react-query'
import { client, explain, statusOf } from '../../api.ts'
import { showToast } from '../../ui/toasts.tsx'
import { createAccountStore } from '../accounts/account-store.ts'
import { restoreAndReport } from '../trash/restoring.ts'
import { putInTrash, refreshAfterTrash, type TrashItem } from '../trash/trash-calls.ts'
import { words } from '../trash/words.ts'
import { dropFromLists, refreshNewest } from './vault-cache.ts'

const hidden = createAccountStore<ReadonlySet<number>>(new Set())

export function usePendingDeletions(): ReadonlySet<number> {
  return hidden.use()
}

export async function trashWithUndo(queryClient: QueryClient, ids: readonly number[]) {
  hide(ids)
  const { done, blocked, left, problem } = await putInTrash(
    ids.map((id) => ({ kind: 'media', id })),
  )
  show([...blocked, ...left])
  void refreshAfterTrash(queryClient)
  if (done.length > 0)
    showToast({
      text: words.filesMoved({ count: done.length }),
      action: { label: words.undo, run: () => void bringBack(queryClient, done) },
      onGone: () => leave(queryClient, done),
    })
  if (left.length > 0)
    showToast({
      text: words.notMoved({ count: left.length, problem: explain(problem) }),
      isFailure: true,
    })
  if (blocked.length > 0)
    showToast({
      text: words.cannotWait({ count: blocked.length }),
      isFailure: true,
      action: { label: words.deleteForGood, run: () => void end(queryClient, blocked) },
    })
}

async function bringBack(queryClient: QueryClient, items: readonly TrashItem[]) {
  const { blocked, left } = await restoreAndReport(queryClient, items)
  dropFromLists(queryClient, idsOf([...blocked, ...left]))
  show(items)
  await refreshNewest(queryClient)
}

/** Deletes files permanently, one by one: the trash does not accept them. */
async function end(queryClient: QueryClient, items: readonly TrashItem[]) {
  hide([...idsOf(items)])
  const gone: TrashItem[] = []
  let problem: unknown = null
  for (const item of items)
    try {
      await client.vault.remove({ params: { id: String(item.id) } })
      gone.push(item)
    } catch (error) {
      if (statusOf(error) === 404) gone.push(item)
      else problem = error
    }
  leave(queryClient, gone)
  show(items)
  void refreshAfterTrash(queryClient)
  const left = items.length - gone.length
  if (left > 0)
    showToast({
      text: words.notEnded({ count: left, problem: explain(problem) }),
      isFailure: true,
    })
}

/** Removes the files from the cached lists, in which they were only hidden. */
function leave(queryClient: QueryClient, items: readonly TrashItem[]) {
  dropFromLists(queryClient, idsOf(items))
  show(items)
}

function idsOf(items: readonly TrashItem[]): ReadonlySet<number> {
  return new Set(items.map(({ id }) => id))
}

function hide(ids: readonly number[]) {
  hidden.write(new Set([...hidden.read(), ...ids]))
}

function show(items: readonly TrashItem[]) {
  const shown = idsOf(items)
  hidden.write(new Set([...hidden.read()].filter((id) => !shown.has(id))))
}
