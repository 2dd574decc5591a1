/** Creates a session of chosen slides, free of charge: a title, the editor, its settings, and one button. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useMemo, useReducer, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { client, explain, isSignedOut } from '../../api.ts'
import { usePageTitle } from '../../page-title.ts'
import { keys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useUnsavedWork } from '../accounts/unsaved-work.ts'
import { bodyOf, firstSettings, type SessionSettings } from '../sessions/session-settings.ts'
import { putCover } from './cover.ts'
import { DraftNotice } from './draft-notice.tsx'
import { type DraftContent, slidesToKeep, slidesToRestore, useDraft } from './draft.ts'
import { beginEditing, edit } from './editing.ts'
import { SettingsButton } from './editor-bar.tsx'
import { useEditorFiles } from './editor-files.ts'
import { Editor } from './editor.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { ManualSettings } from './manual-settings.tsx'
import { slideToMake } from './slides.ts'
import { words } from './words.ts'

export function ManualSessionPage() {
  usePageTitle(words.newByHand)
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const [state, dispatch] = useReducer(edit, null, beginEditing)
  const [title, setTitle] = useState('')
  const titleField = useRef<HTMLInputElement>(null)
  const [settings, setSettings] = useState<SessionSettings>(firstSettings)
  const [coverKey, setCoverKey] = useState<string | null>(null)
  const [isSetting, setIsSetting] = useState(false)
  const [isSent, setIsSent] = useState(false)
  const [madeId, setMadeId] = useState<number | null>(null)
  const isUntitled = title.trim() === ''
  const make = useMutation({
    async mutationFn() {
      const slides = state.slides.map(slideToMake)
      const made = await client.sessions.createManual({
        body: { title: title.trim(), slides, ...bodyOf(settings) },
      })
      // The created slide's own picture, which others may see. The uploaded file is private to its owner.
      const cover = made.media[state.slides.findIndex(({ key }) => key === coverKey)]
      // The session exists even if its cover cannot be set.
      if (cover)
        await putCover(made.session.id, cover).catch((error: unknown) =>
          showToast({ text: words.coverNotPut({ problem: explain(error) }), isFailure: true }),
        )
      return made
    },
    onSuccess: async ({ session }) => {
      setMadeId(session.id)
      await queryClient.invalidateQueries({ queryKey: keys.sessions.all })
    },
  })
  const files = useEditorFiles({
    slides: state.slides,
    dispatch,
    isLocked: make.isPending,
    onTitle: (suggested) => setTitle((title) => (title.trim() === '' ? suggested : title)),
  })
  const isUnsaved = madeId === null && (state.slides.length > 0 || !isUntitled)
  const isOwnerHere = useUnsavedWork(isUnsaved)
  const canMake = state.slides.length > 0
  const content = useMemo(
    () => ({ slides: slidesToKeep(state.slides, null), making: { title, settings } }),
    [state.slides, title, settings],
  )
  const draft = useDraft({
    draftName: 'new',
    isUnsaved,
    content,
    onRestore(content) {
      dispatch({ type: 'restore', slides: slidesToRestore(content.slides, null) })
      const kept = makingOf(content)
      setTitle(kept.title)
      setSettings({ ...firstSettings, ...kept.settings })
    },
  })

  async function send(): Promise<boolean> {
    setIsSent(true)
    if (isUntitled) titleField.current?.focus()
    if (isUntitled || !canMake || make.isPending || !(await isOwnerHere())) return false
    return await make.mutateAsync().then(
      ({ session }) => {
        navigate(`/sessions/${session.id}/edit`, { replace: true })
        return true
      },
      async (error: unknown) => {
        if (isSignedOut(error) && !(await isOwnerHere({ isInDoubt: true }))) make.reset()
        return false
      },
    )
  }

  return (
    <>
      <Editor
        state={state}
        dispatch={dispatch}
        files={files}
        title={title.trim()}
        heading={
          <TitleInput
            field={titleField}
            title={title}
            onChange={setTitle}
            isWrong={isSent && isUntitled}
          />
        }
        back={{ href: '/sessions/new', label: words.backToNewSession }}
        status={canMake ? words.notMadeYet : ''}
        pace={settings}
        cover={{ key: coverKey, choose: ({ key }) => setCoverKey(key) }}
        isLocked={make.isPending}
        onSave={() => void send()}
        notice={
          <>
            <Failure
              text={
                isSent && isUntitled
                  ? words.titleMissing
                  : make.error && words.notMade({ problem: explain(make.error) })
              }
            />
            <DraftNotice
              restoredAtMs={isUnsaved ? draft.restoredAtMs : null}
              onDiscard={() => {
                dispatch({ type: 'restore', slides: [] })
                setTitle('')
                setSettings(firstSettings)
                draft.forget()
              }}
            />
          </>
        }
        actions={
          <>
            <SettingsButton onPress={() => setIsSetting(true)} />
            {canMake && (
              <Button look="lit" isBusy={make.isPending} onClick={() => void send()}>
                {words.makeSession}
              </Button>
            )}
          </>
        }
      />
      <LeaveGuard
        isUnsaved={isUnsaved || files.isUploading}
        saveName={null}
        save={send}
        onLeave={() => draft.forget()}
      />
      {isSetting && (
        <ManualSettings
          settings={settings}
          pictures={state.slides}
          onChange={(part) => setSettings((settings) => ({ ...settings, ...part }))}
          onClose={() => setIsSetting(false)}
        />
      )}
    </>
  )
}

/** Returns the title and the settings of a draft. */
function makingOf({ making }: DraftContent): {
  title: string
  settings: Partial<SessionSettings>
} {
  if (typeof making !== 'object' || making === null) return { title: '', settings: {} }
  const title = 'title' in making && typeof making.title === 'string' ? making.title : ''
  const settings = 'settings' in making ? making.settings : null
  return { title, settings: typeof settings === 'object' && settings !== null ? settings : {} }
}

function TitleInput({
  field,
  title,
  onChange,
  isWrong,
}: {
  field: RefObject<HTMLInputElement | null>
  title: string
  onChange: (title: string) => void
  isWrong: boolean
}) {
  return (
    <h1 className="min-w-32 grow basis-0 lg:max-w-96">
      <span className="sr-only">{words.newByHand}</span>
      <input
        ref={field}
        aria-label={words.title}
        aria-invalid={isWrong}
        value={title}
        maxLength={200}
        autoComplete="off"
        placeholder={words.titlePlaceholder}
        onChange={(event) => onChange(event.currentTarget.value)}
        className="field show-voice min-h-10 w-full text-[1.125rem] font-[500]"
      />
    </h1>
  )
}
