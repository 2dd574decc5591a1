/** Restores items from the trash, and reports those that cannot be restored. */
import type { QueryClient } from '@tanstack/react-query'
import { explain } from '../../api.ts'
import { showToast } from '../../ui/toasts.tsx'
import { type Outcome, refreshAfterTrash, restoreItems, type TrashItem } from './trash-calls.ts'
import { words } from './words.ts'

export async function restoreAndReport(
  queryClient: QueryClient,
  items: readonly TrashItem[],
): Promise<Outcome> {
  const outcome = await restoreItems(items)
  const { blocked, left, problem } = outcome
  await refreshAfterTrash(queryClient)
  if (left.length > 0)
    showToast({
      text: words.notRestored({ count: left.length, problem: explain(problem) }),
      isFailure: true,
    })
  if (blocked.length > 0)
    showToast({ text: words.takenDown({ count: blocked.length }), isFailure: true })
  return outcome
}
