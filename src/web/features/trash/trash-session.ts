/** Moves a session to the trash without asking, because the user can undo it. */
import type { QueryClient } from '@tanstack/react-query'
import { explain } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { showToast } from '../../ui/toasts.tsx'
import type { Session } from '../sessions/session-data.ts'
import { putInTrash, refreshAfterTrash } from './trash-calls.ts'
import { restoreAndReport } from './restoring.ts'
import { words } from './words.ts'

/** Returns 'blocked' when moderation has hidden the session: its deletion would be permanent. */
export async function trashSession(
  queryClient: QueryClient,
  session: Session,
  /** Called before the session's page would fail to load it. */
  onMoved?: () => void,
): Promise<'moved' | 'blocked' | 'failed'> {
  const items = [{ kind: 'session' as const, id: session.id }]
  const { blocked, left, problem } = await putInTrash(items)
  if (blocked.length > 0) return 'blocked'
  if (left.length > 0) {
    showToast({ text: words.notMoved({ count: 1, problem: explain(problem) }), isFailure: true })
    return 'failed'
  }
  // The pressed button disappears with the session, so the page takes the focus.
  document.getElementById('main')?.focus({ preventScroll: true })
  onMoved?.()
  queryClient.removeQueries({ queryKey: keys.session.opened(session.id) })
  await refreshAfterTrash(queryClient)
  const said = session.shareToCommunity ? words.sessionWithdrawn : words.sessionMoved
  showToast({
    text: said({ title: session.title }),
    action: { label: words.undo, run: () => void restoreAndReport(queryClient, items) },
  })
  return 'moved'
}
