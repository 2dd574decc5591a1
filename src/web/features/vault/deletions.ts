/**
 * Files that were deleted, while there is a way back: they are out of sight at once, and the service
 * is told when the message with the way back has gone, or the page is left.
 */
import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { createClient } from '../../../client/client.ts'
import { api } from '../../../contract/api.ts'
import { client, explain, statusOf } from '../../api.ts'
import { showToast } from '../../ui/toasts.tsx'
import { retryDelay } from '../../uploads/retry-delay.ts'
import { dropFromLists } from './vault-cache.ts'
import { words } from './words.ts'

let hidden: ReadonlySet<number> = new Set()
/** Those whose message is still shown: nobody has been told of them. */
let untold: ReadonlySet<number> = new Set()
const listeners = new Set<() => void>()

/** A browser sends what is under way when a page is left, up to a bound. */
const mostOnLeaving = 50
const leavingClient = createClient(api, {
  fetch: (url, init) => fetch(url, { ...init, keepalive: true }),
})

window.addEventListener('pagehide', () => {
  for (const id of [...untold].slice(0, mostOnLeaving))
    void leavingClient.vault.remove({ params: { id: String(id) } }).catch(() => {
      // Nobody is left to be told.
    })
  untold = new Set()
})

export function usePendingDeletions(): ReadonlySet<number> {
  return useSyncExternalStore(subscribe, () => hidden)
}

export function deleteWithUndo(queryClient: QueryClient, ids: readonly number[]) {
  publish([...hidden, ...ids])
  untold = new Set([...untold, ...ids])
  const settle = () => (untold = without(untold, ids))
  showToast({
    text: words.deleted({ count: ids.length }),
    action: {
      label: words.undo,
      run() {
        settle()
        publish(without(hidden, ids))
      },
    },
    onGone() {
      const waiting = ids.filter((id) => untold.has(id))
      settle()
      void tell(queryClient, waiting)
    },
  })
}

/** One after the other: a site counts how often it is asked. */
async function tell(queryClient: QueryClient, ids: readonly number[]) {
  const gone: number[] = []
  let problem: unknown = null
  for (const id of ids)
    try {
      await remove(id)
      gone.push(id)
    } catch (error) {
      problem = error
    }
  dropFromLists(queryClient, new Set(gone))
  publish(without(hidden, ids))
  void queryClient.invalidateQueries({ queryKey: ['vault', 'files-to-add'] })
  void queryClient.invalidateQueries({ queryKey: ['vault', 'storage'] })
  void queryClient.invalidateQueries({ queryKey: ['session'] })
  void queryClient.invalidateQueries({ queryKey: ['sessions'] })
  const left = ids.length - gone.length
  if (left > 0)
    showToast({
      text: words.notDeleted({ count: left, problem: explain(problem) }),
      isFailure: true,
    })
}

/** A limit and a broken connection are waited out; what is gone already is gone. */
async function remove(id: number): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      await client.vault.remove({ params: { id: String(id) } })
      return
    } catch (error) {
      if (statusOf(error) === 404) return
      const delay = retryDelay(error, tries)
      if (delay === null) throw error
      await new Promise((resolve) => setTimeout(resolve, delay.ms))
    }
}

function without(all: ReadonlySet<number>, ids: readonly number[]): ReadonlySet<number> {
  const gone = new Set(ids)
  return new Set([...all].filter((id) => !gone.has(id)))
}

function publish(ids: Iterable<number>) {
  hidden = new Set(ids)
  for (const notify of listeners) notify()
}

function subscribe(notify: () => void) {
  listeners.add(notify)
  return () => void listeners.delete(notify)
}
