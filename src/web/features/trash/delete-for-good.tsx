/** Asks before items in the trash are deleted permanently. */
import { useQueryClient } from '@tanstack/react-query'
import { client } from '../../api.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { endItems, refreshAfterTrash } from './trash-calls.ts'
import type { Trashed } from './trash-row.tsx'
import { words } from './words.ts'

export function DeleteForGood({
  items,
  onClose,
}: {
  items: readonly Trashed[] | 'all'
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  async function end() {
    const count = items === 'all' ? await endEverything() : await endSome(items)
    await refreshAfterTrash(queryClient)
    showToast({ text: words.ended({ count }) })
  }
  return (
    <ConfirmDialog
      question={questionOf(items)}
      consequence={items === 'all' ? words.emptied : words.goesForGood}
      keep={words.keep}
      action={items === 'all' ? words.empty : words.deleteForGood}
      run={end}
      onClose={onClose}
    />
  )
}

async function endEverything(): Promise<number> {
  return (await client.trash.empty({ body: {} })).deleted
}

async function endSome(items: readonly Trashed[]): Promise<number> {
  const { done, left, problem } = await endItems(items)
  if (left.length > 0) throw problem
  return done.length
}

function questionOf(items: readonly Trashed[] | 'all'): string {
  if (items === 'all') return words.askEmpty
  const [only] = items
  return items.length === 1 && only
    ? words.askOne({ name: only.name })
    : words.askSome({ count: items.length })
}
