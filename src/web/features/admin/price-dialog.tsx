/** The dialog that adds or changes a price. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { client, explain } from '../../api.ts'
import { isValid, valuesOf } from '../../form-values.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { words } from './setting-words.ts'
import { words as adminWords } from './words.ts'

export type AdminPrice = Awaited<ReturnType<typeof client.credits.listPrices>>['items'][number]

type Change = Omit<AdminPrice, 'featureKey' | 'isActive'>

export function PriceDialog({
  price,
  onSaved,
  onClose,
}: {
  /** Null for a new price. */
  price: AdminPrice | null
  onSaved: () => Promise<void>
  onClose: () => void
}) {
  const [isPremiumOnly, setIsPremiumOnly] = useState(price?.isPremiumOnly ?? false)
  const save = useMutation({
    mutationFn: ({ featureKey, body }: { featureKey: string; body: Change }) =>
      price
        ? client.credits.changePrice({ params: { featureKey: price.featureKey }, body })
        : client.credits.createPrice({ body: { featureKey, ...body } }),
    onSuccess: async () => {
      await onSaved()
      showToast({ text: adminWords.saved })
      onClose()
    },
  })
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!isValid(event.currentTarget) || save.isPending) return
    const valueOf = valuesOf(event.currentTarget)
    const body = {
      displayName: valueOf('displayName').trim(),
      creditsRequired: Number(valueOf('creditsRequired')),
      description: valueOf('description'),
      isPremiumOnly,
    }
    save.mutate({ featureKey: valueOf('featureKey'), body })
  }
  const title = price ? adminWords.changeOne({ name: price.displayName }) : words.newPrice
  return (
    <Dialog title={title} onClose={onClose}>
      <form noValidate onSubmit={send} className="grid gap-4">
        {!price && (
          <Field
            label={words.featureKey}
            name="featureKey"
            required
            pattern="[a-z][a-z0-9_]{0,99}"
            help={words.featureKeyHelp}
            complaint={words.featureKeyWrong}
          />
        )}
        <Field
          label={words.displayName}
          name="displayName"
          required
          maxLength={100}
          defaultValue={price?.displayName ?? ''}
          complaint={words.nameWrong}
        />
        <Field
          label={words.price}
          name="creditsRequired"
          type="number"
          required
          min={0}
          max={1_000_000}
          step={1}
          defaultValue={price?.creditsRequired ?? 0}
          complaint={words.creditsWrong}
        />
        <Field
          label={words.description}
          name="description"
          maxLength={500}
          defaultValue={price?.description ?? ''}
          complaint={words.descriptionWrong}
        />
        <Switch label={words.isPremiumOnly} isOn={isPremiumOnly} onSwitch={setIsPremiumOnly} />
        <Failure text={save.error && explain(save.error)} />
        <DialogActions>
          <Button look="bare" onClick={onClose}>
            {adminWords.cancel}
          </Button>
          <Button type="submit" look="lit" isBusy={save.isPending}>
            {adminWords.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
