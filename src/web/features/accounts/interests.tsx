/** The questions about the user's interests, each with its options. */
import type { client, SignedInUser } from '../../api.ts'
import { useTags } from '../../classification/classification.ts'
import { Chip } from '../../ui/chip.tsx'
import { words } from './words.ts'

type Body = Parameters<typeof client.accounts.completeOnboarding>[0]['body']
type Feature = NonNullable<Body['preferredFeatures']>[number]
export type Answers = {
  readonly contentRole: Body['contentRole']
  readonly preferredFeatures: Feature[]
  readonly preferredTags: string[]
}

export const unanswered: Answers = {
  contentRole: 'consumer',
  preferredFeatures: [],
  preferredTags: [],
}

const asked = words.onboardingQuestions
export const questions = [asked.role, asked.features, asked.tags]

const featureChoices: readonly Feature[] = [
  'sessions',
  'captions',
  'vault',
  'community',
  'composition',
  'animation',
  'enhancement',
  'search',
]

/** Returns the earlier answers that are still valid options. */
export function answersOf(interests: SignedInUser['interests']): Answers {
  const { contentRole, preferredFeatures, preferredTags } = interests
  return {
    contentRole: contentRole === 'creator' ? 'creator' : 'consumer',
    preferredFeatures: featureChoices.filter((one) => listed(preferredFeatures).includes(one)),
    preferredTags: listed(preferredTags).filter((one) => typeof one === 'string'),
  }
}

function listed(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

export function Question({
  step,
  answers,
  onAnswer,
}: {
  step: number
  answers: Answers
  onAnswer: (part: Partial<Answers>) => void
}) {
  const tags = useTags()
  if (step === 0)
    return (
      <div className="flex flex-wrap gap-2">
        <Chip
          isOn={answers.contentRole === 'consumer'}
          onSwitch={() => onAnswer({ contentRole: 'consumer' })}
        >
          {words.onboardingRoles.consumer}
        </Chip>
        <Chip
          isOn={answers.contentRole === 'creator'}
          onSwitch={() => onAnswer({ contentRole: 'creator' })}
        >
          {words.onboardingRoles.creator}
        </Chip>
      </div>
    )
  if (step === 1)
    return (
      <Picks
        max={2}
        options={featureChoices.map((value) => ({
          value,
          label: words.onboardingFeatures[value],
        }))}
        chosen={answers.preferredFeatures}
        onChange={(preferredFeatures) => onAnswer({ preferredFeatures })}
      />
    )
  return (
    <Picks
      max={5}
      options={tags
        .filter(({ slug }) => slug !== 'adult')
        .map(({ slug, label }) => ({ value: slug, label }))}
      chosen={answers.preferredTags}
      onChange={(preferredTags) => onAnswer({ preferredTags })}
    />
  )
}

function Picks<Value extends string>({
  max,
  options,
  chosen,
  onChange,
}: {
  max: number
  options: readonly { value: Value; label: string }[]
  chosen: readonly Value[]
  onChange: (chosen: Value[]) => void
}) {
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap gap-2">
        {options.map(({ value, label }) => {
          const isOn = chosen.includes(value)
          return (
            <Chip
              key={value}
              isOn={isOn}
              onSwitch={() =>
                onChange(
                  isOn ? chosen.filter((one) => one !== value) : [...chosen, value].slice(-max),
                )
              }
            >
              {label}
            </Chip>
          )
        })}
      </div>
      <p className="text-xs text-ink-3">{words.onboardingMax({ max })}</p>
    </div>
  )
}
