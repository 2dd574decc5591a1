/** The editor around a session that is there: saving, conflicts, captions for all of it. */
import { lazy, Suspense, useReducer, useState } from 'react'
import { Failure } from '../../ui/failure.tsx'
import { Ticks } from '../../ui/ticks.tsx'
import { useUnsavedWork } from '../accounts/unsaved-work.ts'
import type { OpenedSession } from '../sessions/session-data.ts'
import type { CaptionOrder } from './caption-all.tsx'
import { type RunProgress, useCaptionRun } from './caption-run.ts'
import { ConflictNotice } from './conflict-notice.tsx'
import { beginEditing, edit, isDirty } from './editing.ts'
import { CaptionAllButton, PlayLink, SaveButton, TitleText } from './editor-bar.tsx'
import { Editor } from './editor.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { useSaving } from './saving.ts'

const CaptionAll = lazy(async () => {
  const { CaptionAll } = await import('./caption-all.tsx')
  return { default: CaptionAll }
})

export function SessionEditor({ opened }: { opened: OpenedSession }) {
  const { session } = opened
  const [state, dispatch] = useReducer(edit, opened, beginEditing)
  const isUnsaved = isDirty(state)
  const isOwnerHere = useUnsavedWork(isUnsaved)
  const saving = useSaving(session, state, { dispatch, isOwnerHere })
  const run = useCaptionRun(session.id, dispatch)
  const [isOrdering, setIsOrdering] = useState(false)
  const isRunning = run.progress !== null

  function order({ way, slides, steering }: CaptionOrder) {
    if (way === 'words') run.fromWords(slides, steering)
    else if (state.kept) run.fromPictures(slides, state.kept, steering)
  }

  /** The server captions what it has, so it is given everything first. */
  async function openOrder() {
    if (!isUnsaved || (await saving.save())) setIsOrdering(true)
  }

  return (
    <>
      <Editor
        state={state}
        dispatch={dispatch}
        title={session.title}
        heading={<TitleText>{session.title}</TitleText>}
        back={{ href: `/sessions/${session.id}`, label: 'Back to the session' }}
        status={statusOf({ isUnsaved, isSaving: saving.isSaving, isRunning })}
        pace={session}
        isLocked={isRunning}
        onSave={() => {
          if (isUnsaved && !isRunning) void saving.save()
        }}
        notice={<Notice failure={saving.failure ?? run.failure} progress={run.progress} />}
        actions={
          <>
            {state.slides.length > 0 && (
              <CaptionAllButton isBusy={isRunning} onPress={() => void openOrder()} />
            )}
            <PlayLink sessionId={session.id} />
            <SaveButton
              isUnsaved={isUnsaved}
              isLocked={isRunning}
              isSaving={saving.isSaving}
              onSave={() => void saving.save()}
            />
          </>
        }
      />
      <ConflictNotice state={state} saving={saving} />
      <LeaveGuard
        isUnsaved={isUnsaved}
        saveName={isRunning ? null : 'Save and leave'}
        save={saving.save}
      />
      <Suspense>
        {isOrdering && (
          <CaptionAll slides={state.slides} onOrder={order} onClose={() => setIsOrdering(false)} />
        )}
      </Suspense>
    </>
  )
}

function Notice({ failure, progress }: { failure: string | null; progress: RunProgress | null }) {
  return (
    <>
      <Failure text={failure} />
      {progress !== null && (
        <div className="grid gap-1.5 py-1">
          <Ticks
            label="Captions written"
            done={progress.done + progress.failed}
            total={progress.total}
          />
          <output className="text-xs text-ink-2">
            Writing captions, {progress.done} of {progress.total}
            {progress.failed > 0 && `, ${progress.failed} failed`}
          </output>
        </div>
      )}
    </>
  )
}

function statusOf(now: { isUnsaved: boolean; isSaving: boolean; isRunning: boolean }): string {
  if (now.isRunning) return 'Captions are being written'
  if (now.isSaving) return 'Saving'
  return now.isUnsaved ? 'Not saved yet' : 'Saved'
}
