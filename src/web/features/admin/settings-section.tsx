/** Settings that administrators change while the site runs. They take effect at once. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Tier, tiers } from '../../../contract/tiers.ts'
import { client, explain } from '../../api.ts'
import { isValid, valuesOf } from '../../form-values.ts'
import { keys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { CannotShow, Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Select } from '../../ui/select.tsx'
import { Switch } from '../../ui/switch.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { ListSkeleton } from './admin-list.tsx'
import { words } from './setting-words.ts'
import { words as adminWords } from './words.ts'

type Settings = Awaited<ReturnType<typeof client.admin.settings>>
type ByTier = 'quotaMb' | 'tierNames'
type Changes = Partial<Omit<Settings, ByTier>> & {
  [Name in ByTier]?: Partial<Settings[Name]>
}

const registrations = (['open', 'closed'] as const).map((value) => ({
  value,
  label: words.registrations[value],
}))
const creditStates = (['on', 'off'] as const).map((value) => ({
  value,
  label: words.creditStates[value],
}))
const enhancementOrders = (['default', 'provider_a'] as const).map((value) => ({
  value,
  label: words.enhancementOrders[value],
}))

const fieldOf = (name: ByTier, tier: Tier) => `${name}.${tier}`

function byTier<Value>(valueOf: (tier: Tier) => Value): Record<Tier, Value> {
  return {
    free: valueOf('free'),
    joi_curious: valueOf('joi_curious'),
    full_access: valueOf('full_access'),
    vip: valueOf('vip'),
  }
}

export function SettingsSection() {
  const { data, error, refetch } = useQuery({
    queryKey: keys.admin.settings,
    queryFn: () => client.admin.settings(),
  })
  if (!data && error) return <CannotShow error={error} onRetry={() => void refetch()} />
  return data ? <SettingsForm settings={data} /> : <ListSkeleton label={words.settingsLoading} />
}

/**
 * Returns only the fields that were changed here, so that a save does not revert another administrator's
 * changes.
 */
function changesIn(typed: Settings, shown: Settings): Changes {
  const changes: Changes = differing(typed, shown)
  if (changes.quotaMb) changes.quotaMb = differing(typed.quotaMb, shown.quotaMb)
  if (changes.tierNames) changes.tierNames = differing(typed.tierNames, shown.tierNames)
  return changes
}

function differing<T extends object>(typed: T, shown: T): Partial<T> {
  const changed = Object.entries(typed).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(shown, name)),
  )
  return Object.fromEntries(changed) as Partial<T>
}

function SettingsForm({ settings }: { settings: Settings }) {
  const queryClient = useQueryClient()
  const [chosen, setChosen] = useState(settings)
  const choose = (part: Partial<Settings>) => setChosen({ ...chosen, ...part })
  const save = useMutation({
    mutationFn: (body: Changes) => client.admin.changeSettings({ body }),
    onSuccess: async (saved) => {
      queryClient.setQueryData(keys.admin.settings, saved)
      // The site query holds the name in the bar and whether credits are on.
      await queryClient.invalidateQueries({ queryKey: keys.site })
      showToast({ text: adminWords.saved })
    },
  })
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!isValid(event.currentTarget) || save.isPending) return
    const valueOf = valuesOf(event.currentTarget)
    const typed: Settings = {
      ...chosen,
      siteName: valueOf('siteName').trim(),
      uploadLimitMb: Number(valueOf('uploadLimitMb')),
      dailyBonus: Number(valueOf('dailyBonus')),
      lowBalanceThreshold: Number(valueOf('lowBalanceThreshold')),
      quotaMb: byTier((tier) => Number(valueOf(fieldOf('quotaMb', tier)))),
      tierNames: byTier((tier) => valueOf(fieldOf('tierNames', tier)).trim()),
    }
    const changes = changesIn(typed, settings)
    if (Object.keys(changes).length > 0) save.mutate(changes)
    else showToast({ text: adminWords.saved })
  }
  return (
    <form noValidate onSubmit={send} className="grid max-w-[60rem] gap-4">
      <Panel title={words.site}>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label={words.siteName}
            name="siteName"
            defaultValue={settings.siteName}
            required
            maxLength={60}
            complaint={words.siteNameWrong}
          />
          <Select
            label={words.registration}
            options={registrations}
            value={chosen.registration}
            onChoose={(registration) => choose({ registration })}
          />
          <NumberField
            label={words.uploadLimitMb}
            name="uploadLimitMb"
            value={settings.uploadLimitMb}
            min={1}
            max={10_240}
            complaint={words.uploadLimitWrong}
          />
        </div>
        <div className="mt-2">
          <Switch
            label={words.publicCommunity}
            help={words.publicCommunityHelp}
            isOn={chosen.publicCommunity}
            onSwitch={(publicCommunity) => choose({ publicCommunity })}
          />
        </div>
      </Panel>
      <Panel title={words.credits}>
        <div className="grid gap-4 sm:grid-cols-2">
          <Select
            label={words.credits}
            options={creditStates}
            value={chosen.credits}
            onChoose={(credits) => choose({ credits })}
          />
          <NumberField
            label={words.dailyBonus}
            name="dailyBonus"
            value={settings.dailyBonus}
            help={words.dailyBonusHelp}
            complaint={words.creditsWrong}
          />
          <NumberField
            label={words.lowBalanceThreshold}
            name="lowBalanceThreshold"
            value={settings.lowBalanceThreshold}
            complaint={words.creditsWrong}
          />
        </div>
        <div className="mt-2">
          <Switch
            label={words.keepPurchasedCredits}
            help={words.keepPurchasedHelp}
            isOn={chosen.keepPurchasedCredits}
            onSwitch={(keepPurchasedCredits) => choose({ keepPurchasedCredits })}
          />
        </div>
      </Panel>
      <Panel title={words.tierNames}>
        <div className="grid gap-4 sm:grid-cols-2">
          {tiers.map((tier) => (
            <Field
              key={tier}
              label={words.tierNameOf[tier]}
              name={fieldOf('tierNames', tier)}
              defaultValue={settings.tierNames[tier]}
              required
              maxLength={40}
              complaint={words.tierNameWrong}
            />
          ))}
        </div>
      </Panel>
      <Panel title={words.storage}>
        <div className="grid gap-4 sm:grid-cols-2">
          {tiers.map((tier) => (
            <NumberField
              key={tier}
              label={settings.tierNames[tier]}
              name={fieldOf('quotaMb', tier)}
              value={settings.quotaMb[tier]}
              max={1_000_000_000}
              help={words.quotaHelp}
              complaint={words.quotaWrong}
            />
          ))}
        </div>
      </Panel>
      <Panel title={words.enhancement}>
        <div className="grid gap-4 sm:grid-cols-2">
          <Select
            label={words.enhancementPrimary}
            options={enhancementOrders}
            value={chosen.enhancementPrimary}
            onChoose={(enhancementPrimary) => choose({ enhancementPrimary })}
          />
        </div>
      </Panel>
      <Failure text={save.error && explain(save.error)} />
      <div>
        <Button type="submit" look="lit" isBusy={save.isPending}>
          {adminWords.save}
        </Button>
      </div>
    </form>
  )
}

function NumberField({
  value,
  min = 0,
  max = 1_000_000,
  ...field
}: {
  label: string
  name: string
  value: number
  min?: number
  max?: number
  help?: string
  complaint: string
}) {
  return (
    <Field {...field} type="number" required defaultValue={value} min={min} max={max} step={1} />
  )
}
