/**
 * Saves the slides if the server still has the version that the editor last read. After a change in another
 * tab both versions stay until the user chooses: nothing is lost silently.
 */
import { useQueryClient } from '@tanstack/react-query'
import { type Dispatch, useState } from 'react'
import { client, explain, isSignedOut, statusOf } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import type { useUnsavedWork } from '../accounts/unsaved-work.ts'
import { keepSession, type OpenedSession, type Session } from '../sessions/session-data.ts'
import type { Editing } from './edit-history.ts'
import { edit, type Edit } from './editing.ts'
import { type EditedSlide, type Kept, slidesToSave } from './slides.ts'
import { words } from './words.ts'

export type Saving = {
  readonly isSaving: boolean
  readonly failure: string | null
  /** The other version, until the user has chosen. */
  readonly theirs: OpenedSession | null
  /** Resolves to true when the server has everything. */
  readonly save: () => Promise<boolean>
  readonly takeTheirs: () => void
  readonly keepMine: () => Promise<boolean>
  readonly decideLater: () => void
}

export function useSaving(
  session: Session,
  state: Editing,
  {
    dispatch,
    isOwnerHere,
  }: { dispatch: Dispatch<Edit>; isOwnerHere: ReturnType<typeof useUnsavedWork> },
): Saving {
  const queryClient = useQueryClient()
  const [isSaving, setIsSaving] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [theirs, setTheirs] = useState<OpenedSession | null>(null)
  const params = { id: String(session.id) }

  async function send(slides: readonly EditedSlide[], kept: Kept): Promise<boolean> {
    setIsSaving(true)
    setFailure(null)
    try {
      if (!(await isOwnerHere())) return false
      const opened = await client.sessions.replaceMedia({
        params,
        body: { slides: slidesToSave(slides, kept) },
        headers: { 'if-match': `"${kept.updatedAt}"` },
      })
      dispatch({ type: 'saved', sent: slides, opened })
      queryClient.setQueryData(keys.session.opened(params.id), opened)
      keepSession(queryClient, opened.session)
      return true
    } catch (error) {
      await explainFailure(error)
      return false
    } finally {
      setIsSaving(false)
    }
  }

  async function explainFailure(error: unknown) {
    // When no user is signed in, the editor shows its own notice until the owner returns.
    if (isSignedOut(error) && !(await isOwnerHere({ isInDoubt: true }))) return
    if (statusOf(error) !== 412) {
      setFailure(statusOf(error) === 404 ? words.fileGone : explain(error))
      return
    }
    try {
      setTheirs(await client.sessions.read({ params }))
    } catch (error) {
      setFailure(explain(error))
    }
  }

  return {
    isSaving,
    failure,
    theirs,
    save: async () => (state.kept && !isSaving ? await send(state.slides, state.kept) : false),
    takeTheirs() {
      if (theirs) dispatch({ type: 'theirs', opened: theirs, thread: null })
      setTheirs(null)
    },
    async keepMine() {
      if (!theirs) return false
      const mine = { type: 'mine', opened: theirs } as const
      const { slides, kept } = edit(state, mine)
      dispatch(mine)
      setTheirs(null)
      return kept ? await send(slides, kept) : false
    },
    decideLater: () => setTheirs(null),
  }
}
