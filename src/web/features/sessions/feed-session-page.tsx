/** Creates a session that is filled from feeds: title, feeds, settings and price. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Images } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { client, explain } from '../../api.ts'
import { isValid, valuesOf } from '../../form-values.ts'
import { PageHead } from '../../frame/page-head.tsx'
import { usePageTitle } from '../../page-title.ts'
import { usePaidCall } from '../../paid-call.ts'
import { lazyPart } from '../../parts.ts'
import { keys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Aperture } from '../../ui/mount.tsx'
import { DialogPart } from '../../ui/dialog-part.tsx'
import { useRefreshUser } from '../accounts/current-user.ts'
import { OwnerAbsent } from '../accounts/owner-absent.tsx'
import { useUnsavedWork } from '../accounts/unsaved-work.ts'
import { useAgeGate } from '../accounts/use-age-gate.tsx'
import { FillingSheet } from './contact-sheet.tsx'
import { describeSession, fillSize } from './session-data.ts'
import { PricePanel, StickyPrice } from './session-price.tsx'
import { bodyOf, firstSettings } from './session-settings.ts'
import { SettingsFields } from './settings-fields.tsx'
import { SubfeedField, subfeedsName } from './subfeed-field.tsx'
import { TitleField } from './title-field.tsx'
import { makingWords } from './making-words.ts'
import { words } from './words.ts'

const PickFromFeed = lazyPart(
  async () => (await import('../editor/pick-from-feed.tsx')).PickFromFeed,
)

export function FeedSessionPage() {
  usePageTitle(words.newSession)
  const [title, setTitle] = useState('')
  const [subfeeds, setSubfeeds] = useState<string[]>([])
  const [settings, setSettings] = useState(firstSettings)
  const [isPicking, setIsPicking] = useState(false)
  const age = useAgeGate()
  const create = useCreateSession()
  const [, navigate] = useLocation()
  const isOwnerHere = useUnsavedWork(title.trim() !== '' || subfeeds.length > 0)

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (!isValid(form)) return
    const subfeeds = valuesOf(form)(subfeedsName)
    if (!(await isOwnerHere())) return
    const body = { title: title.trim(), subfeeds, ...bodyOf(settings) }
    // Not navigated if the user has left this page.
    create.mutate(body, { onSuccess: ({ id }) => navigate(`/sessions/${id}`) })
  }

  return (
    <form
      noValidate
      onSubmit={(event) => void send(event)}
      className="mx-auto grid w-full max-w-[72rem] gap-x-14 gap-y-6 lg:grid-cols-[minmax(0,1fr)_25rem]"
    >
      <div className="grid content-start gap-6 max-sm:pb-16">
        <PageHead
          title={words.newSession}
          back={{ href: '/sessions/new', label: makingWords.backToChoices }}
        />
        <OwnerAbsent />
        <Failure text={create.error && explain(create.error)} />
        <TitleField value={title} onChange={setTitle} />
        <SubfeedField
          chosen={subfeeds}
          onChange={setSubfeeds}
          title={title}
          help={makingWords.subfeedsHelp({ count: fillSize })}
        />
        <div>
          <Button
            look="line"
            icon={<Images size={18} aria-hidden="true" />}
            onClick={() => setIsPicking(true)}
          >
            {makingWords.pickSingle}
          </Button>
        </div>
        <SettingsFields
          settings={settings}
          onChange={(part) => setSettings((settings) => ({ ...settings, ...part }))}
          age={age}
        />
      </div>
      <aside className="grid content-start gap-4 lg:sticky lg:top-24 lg:self-start">
        <div className="rounded-mount bg-mount p-2 shadow-mount max-lg:hidden" aria-hidden="true">
          <Aperture>
            <FillingSheet progress={null} />
          </Aperture>
          <div className="px-1 pt-2.5 pb-1">
            <p className="show-voice truncate text-lg font-[500]">
              {title.trim() || words.untitled}
            </p>
            <p className="text-xs text-ink-3">
              {makingWords.upTo({
                description: describeSession({ ...settings, mediaCount: fillSize }),
              })}
            </p>
          </div>
        </div>
        <PricePanel action={makingWords.makeSession} isBusy={create.isPending} />
      </aside>
      <StickyPrice action={makingWords.makeSession} isBusy={create.isPending} />
      {age.dialog}
      <DialogPart>
        {isPicking && <PickFromFeed title={title} onClose={() => setIsPicking(false)} />}
      </DialogPart>
    </form>
  )
}

function useCreateSession() {
  const queryClient = useQueryClient()
  const refreshUser = useRefreshUser()
  const pay = usePaidCall()
  return useMutation({
    mutationFn: (body: Parameters<typeof client.sessions.create>[0]['body']) =>
      pay({ body }, client.sessions.create),
    onSuccess: (session) => {
      queryClient.setQueryData(keys.session.opened(session.id), {
        session,
        media: [],
        skipped: [],
        isCopying: false,
      })
      void refreshUser()
      void queryClient.invalidateQueries({ queryKey: keys.sessions.all })
    },
  })
}
