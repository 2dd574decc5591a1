/** The switch that refills a session once a day. */
import { Switch } from '../../ui/switch.tsx'
import { showFailure } from '../../ui/toasts.tsx'
import { type Session, useEditSession } from './session-data.ts'
import { words } from './words.ts'

export function KeepFresh({ session }: { session: Session }) {
  const edit = useEditSession(session.id)
  const isOn = (edit.isPending ? edit.variables.refreshDaily : null) ?? session.refreshDaily
  // An imported or manual session has no feed.
  if (session.isImported || session.subfeeds.length === 0) return null
  return (
    <div className="mt-3 max-w-[26rem]">
      <Switch
        label={words.keepFresh}
        help={words.keepFreshHelp}
        isOn={isOn}
        isDisabled={edit.isPending}
        onSwitch={(refreshDaily) => edit.mutate({ refreshDaily }, { onError: showFailure })}
      />
    </div>
  )
}
