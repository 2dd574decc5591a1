/** A new session of chosen slides: a title, the editor, and one button that makes it. Free. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useReducer, useState } from 'react'
import { useLocation } from 'wouter'
import { client, explain, isSignedOut } from '../../api.ts'
import { usePageTitle } from '../../page-title.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { useUnsavedWork } from '../accounts/unsaved-work.ts'
import { beginEditing, edit } from './editing.ts'
import { Editor } from './editor.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { slideToMake } from './slides.ts'

const pace = { intervalMin: 4, intervalMax: 9 }

export function ManualSessionPage() {
  usePageTitle('New session by hand')
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const [state, dispatch] = useReducer(edit, null, beginEditing)
  const [title, setTitle] = useState('')
  const [isSent, setIsSent] = useState(false)
  const [madeId, setMadeId] = useState<number | null>(null)
  const isUntitled = title.trim() === ''
  const make = useMutation({
    mutationFn: () =>
      client.sessions.createManual({
        body: { title: title.trim(), slides: state.slides.map(slideToMake), ...pace },
      }),
    onSuccess: async ({ session }) => {
      setMadeId(session.id)
      await queryClient.invalidateQueries({ queryKey: ['sessions'] })
    },
  })
  const isUnsaved = madeId === null && (state.slides.length > 0 || !isUntitled)
  const isOwnerHere = useUnsavedWork(isUnsaved)
  const canMake = state.slides.length > 0

  async function send(): Promise<boolean> {
    setIsSent(true)
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
        title={title.trim()}
        heading={<TitleInput title={title} onChange={setTitle} isWrong={isSent && isUntitled} />}
        back={{ href: '/sessions/new', label: 'Back to a new session' }}
        status={canMake ? 'Not made yet' : ''}
        pace={pace}
        isLocked={make.isPending}
        onSave={() => void send()}
        notice={
          <Failure
            text={
              isSent && isUntitled
                ? 'Give it a title, then it can be made.'
                : make.error &&
                  `${explain(make.error)} Nothing was made; your slides are still here.`
            }
          />
        }
        actions={
          canMake && (
            <Button look="lit" isBusy={make.isPending} onClick={() => void send()}>
              Make session
            </Button>
          )
        }
      />
      <LeaveGuard isUnsaved={isUnsaved} saveName={null} save={send} />
    </>
  )
}

function TitleInput({
  title,
  onChange,
  isWrong,
}: {
  title: string
  onChange: (title: string) => void
  isWrong: boolean
}) {
  return (
    <h1 className="min-w-0 max-lg:grow max-lg:basis-0 lg:w-96">
      <span className="sr-only">New session by hand</span>
      <input
        aria-label="Title"
        aria-invalid={isWrong}
        value={title}
        maxLength={200}
        autoComplete="off"
        placeholder="Give it a title"
        onChange={(event) => onChange(event.currentTarget.value)}
        className={`show-voice min-h-10 w-full rounded-control border bg-field px-3 text-[1.125rem] font-[500] placeholder:text-ink-3 ${
          isWrong ? 'border-danger inset-ring inset-ring-danger' : 'border-edge'
        }`}
      />
    </h1>
  )
}
