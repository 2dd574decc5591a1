/** The editor of an existing session: saving, conflicts, captions for all slides, settings. */
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useReducer, useState } from 'react'
import { client, explain } from '../../api.ts'
import { lazyPart } from '../../parts.ts'
import { Failure } from '../../ui/failure.tsx'
import { Ticks } from '../../ui/ticks.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { DialogPart } from '../../ui/dialog-part.tsx'
import { useUnsavedWork } from '../accounts/unsaved-work.ts'
import { keepSession, type OpenedSession, type Session } from '../sessions/session-data.ts'
import type { CaptionOrder } from './caption-all.tsx'
import { type RunProgress, useCaptionRun } from './caption-run.ts'
import { ConflictNotice } from './conflict-notice.tsx'
import { coverSlide, putCover } from './cover.ts'
import { DraftNotice } from './draft-notice.tsx'
import { slidesToKeep, slidesToRestore, useDraft } from './draft.ts'
import type { Editing } from './edit-history.ts'
import { beginEditing, edit, isDirty } from './editing.ts'
import { CaptionAllButton, PlayLink, SaveButton, SettingsButton, TitleText } from './editor-bar.tsx'
import { useEditorFiles } from './editor-files.ts'
import { Editor } from './editor.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { useSaving } from './saving.ts'
import { type EditedSlide, keyOf } from './slides.ts'
import { words } from './words.ts'

const CaptionAll = lazyPart(async () => (await import('./caption-all.tsx')).CaptionAll)
const EditSettings = lazyPart(
  async () => (await import('../sessions/edit-settings.tsx')).EditSettings,
)

export function SessionEditor({ opened }: { opened: OpenedSession }) {
  const [session, setSession] = useState(opened.session)
  const [state, dispatch] = useReducer(edit, opened, beginEditing)
  const isUnsaved = isDirty(state)
  const isOwnerHere = useUnsavedWork(isUnsaved)
  const saving = useSaving(session, state, { dispatch, isOwnerHere })
  const run = useCaptionRun(session.id, dispatch)
  const [isOrdering, setIsOrdering] = useState(false)
  const [isSetting, setIsSetting] = useState(false)
  const isRunning = run.progress !== null
  const files = useEditorFiles({
    slides: state.slides,
    dispatch,
    isLocked: isRunning,
    onTitle: () => {},
  })
  const draft = useDraft({
    draftName: String(session.id),
    isUnsaved,
    content: useDraftContent(state),
    onRestore: ({ slides }) =>
      dispatch({ type: 'restore', slides: slidesToRestore(slides, state.kept) }),
  })

  function order({ way, slides, steering }: CaptionOrder) {
    if (way === 'words') run.fromWords(slides, steering)
    else if (state.kept) run.fromPictures(slides, state.kept, steering)
  }

  /** Saves first, because the server captions its own version. */
  async function openOrder() {
    if (!isUnsaved || (await saving.save())) setIsOrdering(true)
  }

  const touch = useTouch(state, (session) => {
    setSession(session)
    dispatch({ type: 'touched', updatedAt: session.updatedAt })
  })
  const [coverKey, setCoverKey] = useState(() => coverKeyOf(opened))
  const chooseCover = async ({ key }: EditedSlide) => {
    try {
      const { media } = await client.sessions.read({ params: { id: String(session.id) } })
      const slide = media.find(({ id }) => id === state.kept?.ids.get(key))
      if (!slide) {
        showToast({ text: words.coverUnsaved, isFailure: true })
        return
      }
      await touch(await putCover(session.id, slide))
      setCoverKey(key)
      showToast({ text: words.isCoverNow })
    } catch (error) {
      showToast({ text: explain(error), isFailure: true })
    }
  }

  return (
    <>
      <Editor
        state={state}
        dispatch={dispatch}
        files={files}
        title={session.title}
        heading={<TitleText>{session.title}</TitleText>}
        back={{ href: `/sessions/${session.id}`, label: words.backToSession }}
        status={statusOf({ isUnsaved, isSaving: saving.isSaving, isRunning })}
        pace={session}
        cover={{ key: coverKey, choose: (slide) => void chooseCover(slide) }}
        ownsFiles={session.isImported}
        isLocked={isRunning}
        onSave={() => {
          if (isUnsaved && !isRunning) void saving.save()
        }}
        notice={
          <>
            <Notice failure={saving.failure ?? run.failure} progress={run.progress} />
            <DraftNotice
              restoredAtMs={isUnsaved ? draft.restoredAtMs : null}
              onDiscard={() => {
                dispatch({ type: 'theirs', opened, thread: null })
                draft.forget()
              }}
            />
          </>
        }
        actions={
          <>
            {state.slides.length > 0 && (
              <CaptionAllButton isBusy={isRunning} onPress={() => void openOrder()} />
            )}
            <SettingsButton onPress={() => setIsSetting(true)} />
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
        isUnsaved={isUnsaved || files.isUploading}
        saveName={isRunning || files.isUploading ? null : words.saveAndLeave}
        save={saving.save}
        onLeave={() => draft.forget()}
      />
      <DialogPart>
        {isOrdering && (
          <CaptionAll slides={state.slides} onOrder={order} onClose={() => setIsOrdering(false)} />
        )}
        {isSetting && (
          <EditSettings
            session={session}
            pictures={state.slides}
            onSaved={(session) => void touch(session)}
            onClose={() => setIsSetting(false)}
          />
        )}
      </DialogPart>
    </>
  )
}

function coverKeyOf(opened: OpenedSession): string | null {
  const slide = coverSlide(opened)
  return slide && keyOf(slide.id)
}

/** Returns a stable draft while the slides stay the same. */
function useDraftContent({ slides, kept }: Editing) {
  return useMemo(() => ({ slides: slidesToKeep(slides, kept) }), [slides, kept])
}

/**
 * Handles a change of the session itself, which also changes its `updatedAt`. The new time is adopted only if
 * the server's slides are those that the editor knows. Otherwise another tab has changed them, and the next
 * save reports the conflict. The same is true if the slides cannot be read.
 */
function useTouch({ kept }: Editing, onTouched: (session: Session) => void) {
  const queryClient = useQueryClient()
  return async (session: Session) => {
    keepSession(queryClient, session)
    const params = { id: String(session.id) }
    const now = await client.sessions.read({ params }).catch(() => null)
    if (!now) return
    const known = [...(kept?.slides ?? [])].map(({ key, caption }) => [kept?.ids.get(key), caption])
    const there = now.media.map(({ id, caption }) => [id, caption ?? ''])
    if (JSON.stringify(known) === JSON.stringify(there)) onTouched(now.session)
  }
}

function Notice({ failure, progress }: { failure: string | null; progress: RunProgress | null }) {
  return (
    <>
      <Failure text={failure} />
      {progress !== null && (
        <div className="grid gap-1.5 py-1">
          <Ticks
            label={words.captionsProgress}
            done={progress.done + progress.failed}
            total={progress.total}
          />
          <output className="text-xs text-ink-2">
            {progress.failed > 0
              ? words.writingCaptionsFailed({ ...progress, count: progress.failed })
              : words.writingCaptions(progress)}
          </output>
        </div>
      )}
    </>
  )
}

/** Returns the status text. The save button shows that everything is saved. */
function statusOf(now: { isUnsaved: boolean; isSaving: boolean; isRunning: boolean }): string {
  if (now.isRunning) return words.captionsBeingWritten
  if (now.isSaving) return words.saving
  return now.isUnsaved ? words.notSavedYet : ''
}
