/** The fields of the playback and caption settings, for new and existing sessions. */
import { transitions } from '../../../contract/transitions.ts'
import { useCategories } from '../../classification/classification.ts'
import { TagChips } from '../../classification/tag-chips.tsx'
import { words as classificationWords } from '../../classification/words.ts'
import { useHasCredits } from '../../site.ts'
import { ChipChoice, TileChoice } from '../../ui/choice.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Range } from '../../ui/range.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { sentence } from '../../words/sentence.ts'
import { usePrice } from '../accounts/prices.ts'
import type { AgeGate } from '../accounts/use-age-gate.tsx'
import { PacePreview, type PreviewPicture } from './pace-preview.tsx'
import { transitionNames } from './session-data.ts'
import type { SessionSettings } from './session-settings.ts'
import { TransitionDrawing } from './transition-drawing.tsx'
import {
  isAdult,
  isFree,
  settingsOfVoice,
  type VoiceChoice,
  voiceOf,
  voiceOptions,
} from './voices.ts'
import { makingWords } from './making-words.ts'

type FieldsProps = {
  settings: SessionSettings
  onChange: (part: Partial<SessionSettings>) => void
  /** Asks for the age before an adult voice is chosen. */
  age: AgeGate
  /** True for an imported session, which keeps its captions. */
  hasOwnWords?: boolean
  /** True when the slides are chosen one by one; then captions are off by default. */
  isByHand?: boolean
  /** The session's own pictures, for the preview of the transition. */
  pictures?: readonly PreviewPicture[]
}

const maxTags = 10

const transitionOptions = transitions.map((value) => ({
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
        label={makingWords.slideStays}
        unit="s"
        min={1}
        max={60}
        value={[settings.intervalMin, settings.intervalMax]}
        onChange={([intervalMin, intervalMax]) => onChange({ intervalMin, intervalMax })}
      />
      <div className="grid gap-2">
        <p className="text-sm font-[560]" aria-hidden="true">
          {makingWords.changeOfSlide}
        </p>
        <TileChoice
          label={makingWords.changeOfSlide}
          options={transitionOptions}
          value={settings.transition}
          onChoose={(transition) => onChange({ transition })}
        />
        {!settings.isManualMode && <PacePreview look={settings} pictures={pictures} />}
      </div>
      {!hasOwnWords && <VoiceFields {...props} />}
      <div className="grid gap-2">
        <p className="text-sm font-[560]" aria-hidden="true">
          {classificationWords.tags}
        </p>
        <TagChips
          chosen={settings.tags}
          onChange={(tags) => onChange({ tags })}
          max={maxTags}
          className="flex flex-wrap gap-2"
        />
      </div>
      <Select
        label={classificationWords.category}
        value={String(settings.categoryId ?? categories.find((one) => one.isDefault)?.id ?? '')}
        options={categories.map(({ id, name }) => ({ value: String(id), label: name }))}
        onChoose={(id) => onChange({ categoryId: Number(id) })}
      />
      <div className="divide-y divide-hairline border-y border-hairline">
        <Switch
          label={makingWords.turnByHand}
          help={makingWords.turnByHandHelp}
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
  const price = usePrice('session_slide_view')
  async function choose(chosen: VoiceChoice) {
    if (isAdult(chosen) && !age.isVerified && !(await age.confirm())) return
    onChange(settingsOfVoice(chosen, { isByHand }))
  }
  return (
    <div className="grid gap-2">
      <p className="text-sm font-[560]" aria-hidden="true">
        {makingWords.captions}
      </p>
      <ChipChoice
        label={makingWords.captions}
        options={voiceOptions({ isByHand, isAdult: age.isVerified }).map((value) => ({
          value,
          label: labelOf(value, { hasCredits, price }),
        }))}
        value={voice}
        onChoose={(chosen) => void choose(chosen)}
      />
      <p className="text-xs text-ink-3">
        {noteOf(voice, { hasCredits, price })}
        {age.isRefused && ` ${makingWords.adultVoicesRefused}`}
        {!age.isVerified && !age.isRefused && (
          <>
            {' '}
            {sentence(makingWords.forAdultVoices, {
              confirm: (
                <button
                  type="button"
                  className="cursor-pointer underline decoration-edge underline-offset-4 hover:text-ink"
                  onClick={() => void age.confirm()}
                >
                  {makingWords.confirmAge}
                </button>
              ),
            })}
          </>
        )}
      </p>
      {voice === 'custom' && (
        <TextArea
          label={makingWords.howToSpeak}
          help={makingWords.howToSpeakHelp}
          maxLength={2000}
          value={settings.aiPrompt ?? ''}
          onChange={(event) => onChange({ aiPrompt: event.currentTarget.value })}
        />
      )}
    </div>
  )
}

type Pricing = { readonly hasCredits: boolean; readonly price: number | undefined }

function labelOf(choice: VoiceChoice, { hasCredits, price }: Pricing): string {
  const voice = makingWords.voices[choice]
  if (!hasCredits) return voice
  if (isFree(choice)) return makingWords.pricedVoice({ voice, price: makingWords.free })
  if (price === undefined) return voice
  return makingWords.pricedVoice({ voice, price: makingWords.perSlide({ count: price }) })
}

function noteOf(voice: VoiceChoice, { hasCredits, price }: Pricing): string {
  if (voice === 'off') return makingWords.offNote
  if (voice === 'narrator')
    return hasCredits ? makingWords.narratorFreeNote : makingWords.narratorNote
  return price === undefined ? '' : makingWords.voicePrice({ count: price })
}
