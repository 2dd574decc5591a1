/** Decides a report in two steps, so that a slip of a key does nothing: choose, then confirm. */
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { client, explain } from '../../api.ts'
import { Button, type ButtonLook } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { formatMoment } from '../../words/figures.ts'
import { useCurrentUser } from '../accounts/current-user.ts'
import { Key } from './key.tsx'
import { actionNames, type Report, type ReportAction } from './report-naming.ts'
import { words } from './report-words.ts'

const choices: readonly {
  readonly action: ReportAction
  readonly means: string
  readonly confirm: string
  readonly look: ButtonLook
  readonly key: string
}[] = [
  {
    action: 'dismiss',
    means: words.dismissMeans,
    confirm: words.confirmDismiss,
    look: 'lit',
    key: 'D',
  },
  {
    action: 'remove',
    means: words.removeMeans,
    confirm: words.confirmRemove,
    look: 'danger',
    key: 'R',
  },
  {
    action: 'remove_and_block',
    means: words.blockMeans,
    confirm: words.confirmBlock,
    look: 'danger',
    key: 'B',
  },
]

export function Decision({
  report,
  chosen,
  onChoose,
  onDecided,
}: {
  report: Report
  chosen: ReportAction | null
  onChoose: (action: ReportAction) => void
  onDecided: () => void
}) {
  const { data: user } = useCurrentUser()
  const [note, setNote] = useState('')
  const decide = useMutation({
    mutationFn: (action: ReportAction) =>
      client.moderation.resolveReport({
        params: { id: String(report.id) },
        body: { action, note },
      }),
    onSuccess: ({ blockedPictures }, action) => {
      showToast({ text: outcomeOf(action, report.evidence.title, blockedPictures) })
      onDecided()
    },
  })
  const choice = choices.find(({ action }) => action === chosen)
  const confirm = useFocusOn(chosen)
  if (user?.id === report.evidence.ownerId)
    return (
      <Panel title={words.decision}>
        <p className="text-ink-2">{words.ownThing}</p>
      </Panel>
    )
  return (
    <Panel title={words.decision}>
      <div className="grid gap-4">
        <TextArea
          label={words.note}
          rows={2}
          maxLength={2000}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <div className="grid gap-2">
          {choices.map((one) => (
            <ChoiceButton
              key={one.action}
              label={actionNames[one.action]}
              means={one.means}
              letter={one.key}
              isOn={one.action === chosen}
              isDestructive={one.look === 'danger'}
              onPress={() => onChoose(one.action)}
            />
          ))}
        </div>
        <Failure text={decide.error && explain(decide.error)} />
        {choice && (
          <Button
            ref={confirm}
            look={choice.look}
            size="big"
            isBusy={decide.isPending}
            onClick={() => decide.mutate(choice.action)}
          >
            {choice.confirm}
          </Button>
        )}
      </div>
    </Panel>
  )
}

function ChoiceButton({
  label,
  means,
  letter,
  isOn,
  isDestructive,
  onPress,
}: {
  label: string
  means: string
  letter: string
  isOn: boolean
  isDestructive: boolean
  onPress: () => void
}) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onPress}
      className={`flex min-h-12 cursor-pointer items-center gap-3 rounded-control border px-3.5 py-2 text-start hover:bg-press aria-pressed:bg-press aria-pressed:inset-ring aria-pressed:inset-ring-current forced-colors:aria-pressed:outline-2 ${
        isDestructive ? 'border-danger text-danger' : 'border-edge'
      }`}
    >
      <span className="grow font-[560]">
        {label} <small className="block text-xs font-[420]">{means}</small>
      </span>
      <span aria-hidden="true" className="max-lg:hidden">
        <Key>{letter}</Key>
      </span>
    </button>
  )
}

/** Shows the decision of a closed report. */
export function DecisionMade({ report }: { report: Report }) {
  const { action, note, decidedAt } = report
  if (action === null) return null
  return (
    <Panel title={words.decision}>
      <p className="font-[560]">{actionNames[action]}</p>
      {note !== null && note !== '' && <p className="mt-1 break-words text-ink-2">{note}</p>}
      {decidedAt !== null && (
        <p className="mt-2 text-sm text-ink-3">{formatMoment(new Date(decidedAt))}</p>
      )}
    </Panel>
  )
}

/** Focuses the confirm button, so that the next press or key confirms the choice. */
function useFocusOn(chosen: ReportAction | null) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (chosen !== null) button.current?.focus()
  }, [chosen])
  return button
}

function outcomeOf(action: ReportAction, title: string, blockedPictures: number): string {
  if (action === 'dismiss') return words.dismissed({ title })
  return action === 'remove'
    ? words.removed({ title })
    : words.blocked({ title, count: blockedPictures })
}
