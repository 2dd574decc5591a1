/** The frames that play a session: create, change, renew the link, end. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Frame as FrameIcon } from 'lucide-react'
import { Suspense, useState } from 'react'
import { client } from '../../api.ts'
import { lazyPart } from '../../parts.ts'
import { keys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { CannotShow } from '../../ui/failure.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import type { Session } from '../sessions/session-data.ts'
import { FrameForm } from './frame-form.tsx'
import type { Frame, NewFrame } from './frames-client.ts'
import { words } from './words.ts'

const QrCode = lazyPart(async () => (await import('../../ui/qr-code.tsx')).QrCode)

type Made = { readonly frame: Frame; readonly frameUrl: string }
type Step =
  | { readonly kind: 'list' }
  | { readonly kind: 'form'; readonly frame: Frame | null }
  | { readonly kind: 'link'; readonly made: Made }
  | { readonly kind: 'renew' | 'end'; readonly frame: Frame }

export function FramesDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const [step, setStep] = useState<Step>({ kind: 'list' })
  const all = useQuery({
    queryKey: keys.frames,
    queryFn: () => client.frames.list(),
    gcTime: 0,
  })
  const frames = all.data?.filter(({ sessionIds }) => sessionIds.includes(session.id))
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: keys.frames })
  const toList = () => setStep({ kind: 'list' })
  const save = useMutation({
    mutationFn: async ({ frame, body }: { frame: Frame | null; body: NewFrame }) => {
      if (!frame) return client.frames.create({ body })
      await client.frames.update({ params: { id: String(frame.id) }, body })
      return null
    },
    onSuccess: async (made) => {
      await refresh()
      setStep(made ? { kind: 'link', made } : { kind: 'list' })
    },
  })

  if (step.kind === 'renew')
    return (
      <ConfirmDialog
        question={words.renewQuestion({ name: step.frame.name })}
        consequence={words.renewConsequence}
        keep={words.keep}
        action={words.renew}
        run={async () => {
          const params = { id: String(step.frame.id) }
          const made = await client.frames.renew({ params })
          setStep({ kind: 'link', made })
        }}
        onClose={() => setStep((now) => (now.kind === 'link' ? now : { kind: 'list' }))}
      />
    )
  if (step.kind === 'end')
    return (
      <ConfirmDialog
        question={words.endQuestion({ name: step.frame.name })}
        consequence={words.endConsequence}
        keep={words.keep}
        action={words.endIt}
        run={async () => {
          await client.frames.remove({ params: { id: String(step.frame.id) } })
          await refresh()
        }}
        onClose={toList}
      />
    )
  return (
    <Dialog title={words.title} step={step.kind} onClose={onClose} width="wide">
      {step.kind === 'link' ? (
        <Link {...step.made} onDone={toList} />
      ) : step.kind === 'form' ? (
        <FrameForm
          session={session}
          frame={step.frame}
          isBusy={save.isPending}
          error={save.error}
          onSave={(body) => save.mutate({ frame: step.frame, body })}
          onCancel={() => {
            save.reset()
            toList()
          }}
        />
      ) : frames ? (
        <List frames={frames} onStep={setStep} />
      ) : all.isError ? (
        <CannotShow error={all.error} onRetry={() => void all.refetch()} />
      ) : (
        <Waiting label={words.looking}>
          <Skeleton className="h-36 w-full" />
        </Waiting>
      )}
    </Dialog>
  )
}

function List({ frames, onStep }: { frames: readonly Frame[]; onStep: (step: Step) => void }) {
  return (
    <>
      <p className="text-ink-2">{words.introduction}</p>
      {frames.length > 0 && (
        <ul className="grid divide-y divide-hairline">
          {frames.map((frame) => (
            <li key={frame.id} className="flex flex-wrap items-center justify-between gap-x-4 py-2">
              <div className="min-w-0">
                <p className="font-[560] break-words">
                  <bdi>{frame.name}</bdi>
                </p>
                <p className="text-xs text-ink-3">
                  {words.playing({ count: frame.sessionIds.length })}
                </p>
              </div>
              <div className="flex flex-wrap gap-1">
                <Button look="bare" size="small" onClick={() => onStep({ kind: 'form', frame })}>
                  {words.change}
                </Button>
                <Button look="bare" size="small" onClick={() => onStep({ kind: 'renew', frame })}>
                  {words.renew}
                </Button>
                <Button look="bare" size="small" onClick={() => onStep({ kind: 'end', frame })}>
                  {words.end}
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      <DialogActions>
        <Button
          look="lit"
          icon={<FrameIcon size={18} aria-hidden="true" />}
          onClick={() => onStep({ kind: 'form', frame: null })}
        >
          {words.make}
        </Button>
      </DialogActions>
    </>
  )
}

function Link({ frame, frameUrl, onDone }: Made & { onDone: () => void }) {
  return (
    <>
      <p className="text-ink-2">{words.linkNow}</p>
      <CopyField label={words.link} text={frameUrl} />
      <Suspense fallback={<Skeleton className="mx-auto size-48" />}>
        <QrCode
          text={frameUrl}
          label={words.qrCode({ name: frame.name })}
          fileName={`frame-${frame.id}`}
        />
      </Suspense>
      <DialogActions>
        <Button look="lit" onClick={onDone}>
          {words.done}
        </Button>
      </DialogActions>
    </>
  )
}
