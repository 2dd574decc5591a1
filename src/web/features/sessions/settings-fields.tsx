/** How a session plays and speaks: the same fields for one that is being made and one that is there. */
import { useCategories } from '../../classification.ts'
import { useHasCredits } from '../../site.ts'
import { TagChips } from '../../tag-chips.tsx'
import { ChipChoice, TileChoice } from '../../ui/choice.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Range } from '../../ui/range.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import type { AgeGate } from '../accounts/use-age-gate.tsx'
import { PacePreview, type PreviewPicture } from './pace-preview.tsx'
import { transitionNames } from './session-data.ts'
import type { SessionSettings } from './session-settings.ts'
import { TransitionDrawing } from './transition-drawing.tsx'
import { isAdult, settingsOfVoice, type VoiceChoice, voiceOf, voiceOptions } from './voices.ts'

type FieldsProps = {
  settings: SessionSettings
  onChange: (part: Partial<SessionSettings>) => void
  /** What is asked before an adult voice is taken. */
  age: AgeGate
  /** A session that came whole from elsewhere keeps its words. */
  hasOwnWords?: boolean
  /** Its slides are chosen one by one, and nothing is written over them unless it is wanted. */
  isByHand?: boolean
  /** Its own, to see the change of slide with. */
  pictures?: readonly PreviewPicture[]
}

const mostTags = 10

const transitionOptions = (['fade', 'slide', 'zoom', 'flip', 'none'] as const).map((value) => ({
  value,
  label: transitionNames[value],
  drawing: <TransitionDrawing transition={value} />,
}))

export function SettingsFields(props: FieldsProps) {
  const { settings, onChange, hasOwnWords = false, pictures = [] } = props
  const categories = useCategories()
  return (
    <>
      <Range
        label="Each slide stays"
        unit="s"
        min={1}
        max={60}
        value={[settings.intervalMin, settings.intervalMax]}
        onChange={([intervalMin, intervalMax]) => onChange({ intervalMin, intervalMax })}
      />
      <div className="grid gap-2">
        <p className="text-sm font-[560]" aria-hidden="true">
          Change of slide
        </p>
        <TileChoice
          label="Change of slide"
          options={transitionOptions}
          value={settings.transition}
          onChoose={(transition) => onChange({ transition })}
        />
        {!settings.isManualMode && <PacePreview look={settings} pictures={pictures} />}
      </div>
      {!hasOwnWords && <VoiceFields {...props} />}
      <div className="grid gap-2">
        <p className="text-sm font-[560]" aria-hidden="true">
          Tags
        </p>
        <TagChips
          chosen={settings.tags}
          onChange={(tags) => onChange({ tags })}
          most={mostTags}
          className="flex flex-wrap gap-2"
        />
      </div>
      <Select
        label="Category"
        value={String(settings.categoryId ?? categories.find((one) => one.isDefault)?.id ?? '')}
        options={categories.map(({ id, name }) => ({ value: String(id), label: name }))}
        onChoose={(id) => onChange({ categoryId: Number(id) })}
      />
      <div className="divide-y divide-hairline border-y border-hairline">
        <Switch
          label="Turn slides by hand"
          help="Nothing advances until you say so."
          isOn={settings.isManualMode}
          onSwitch={(isManualMode) => onChange({ isManualMode })}
        />
      </div>
    </>
  )
}

function VoiceFields({ settings, onChange, age, isByHand = false }: FieldsProps) {
  const voice = voiceOf(settings, { isByHand })
  const hasCredits = useHasCredits()
  async function choose(chosen: VoiceChoice) {
    if (isAdult(chosen) && !age.isVerified && !(await age.confirm())) return
    onChange(settingsOfVoice(chosen, { isByHand }))
  }
  return (
    <div className="grid gap-2">
      <p className="text-sm font-[560]" aria-hidden="true">
        Captions
      </p>
      <ChipChoice
        label="Captions"
        options={voiceOptions({ isByHand, isAdult: age.isVerified })}
        value={voice}
        onChoose={(chosen) => void choose(chosen)}
      />
      <p className="text-xs text-ink-3">
        {noteOf(voice, { hasCredits })}
        {age.isRefused && ' Adult voices are for people of 18 years and more.'}
        {!age.isVerified && !age.isRefused && (
          <>
            {' '}
            <button
              type="button"
              className="cursor-pointer underline decoration-edge underline-offset-4 hover:text-ink"
              onClick={() => void age.confirm()}
            >
              Confirm your age
            </button>{' '}
            for adult voices.
          </>
        )}
      </p>
      {voice === 'custom' && (
        <TextArea
          label="How it should speak"
          help="Tone and subject in your own words."
          name="aiPrompt"
          maxLength={2000}
          value={settings.aiPrompt ?? ''}
          onChange={(event) => onChange({ aiPrompt: event.currentTarget.value })}
        />
      )}
    </div>
  )
}

function noteOf(voice: VoiceChoice, { hasCredits }: { hasCredits: boolean }): string {
  if (voice === 'off') return 'Nothing is written over the pictures but what you write yourself.'
  if (voice === 'narrator')
    return hasCredits
      ? 'A narrator describes what is to be seen. It costs nothing.'
      : 'A narrator describes what is to be seen.'
  return hasCredits ? 'Each new slide that is shown in this voice costs 1 credit.' : ''
}
