/** Refunds one charge, with a reason that its payer can read. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { client, explain, translated } from '../../api.ts'
import { isValid, valuesOf } from '../../form-values.ts'
import { keys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { showToast } from '../../ui/toasts.tsx'
import type { Transaction } from '../credits/transaction-list.tsx'
import { words } from './user-words.ts'

export function RefundDialog({ charge, onClose }: { charge: Transaction; onClose: () => void }) {
  const queryClient = useQueryClient()
  const refund = useMutation({
    mutationFn: (reason: string) =>
      client.credits.refund({ params: { id: String(charge.id) }, body: { reason } }),
    onSuccess: async ({ balance }) => {
      showToast({ text: words.refunded({ count: balance }) })
      onClose()
      await queryClient.invalidateQueries({ queryKey: keys.admin.all })
    },
  })
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!isValid(event.currentTarget) || refund.isPending) return
    refund.mutate(valuesOf(event.currentTarget)('reason').trim())
  }
  return (
    <Dialog title={words.refundTitle({ count: -charge.amount })} onClose={onClose}>
      <form noValidate onSubmit={send} className="grid gap-4">
        <p className="text-sm text-ink-2">{translated(charge.description)}</p>
        <Field
          label={words.refundReason}
          name="reason"
          help={words.refundReasonHelp}
          required
          maxLength={200}
          complaint={words.refundReasonWrong}
        />
        <Failure text={refund.error && explain(refund.error)} />
        <DialogActions>
          <Button type="submit" look="lit" isBusy={refund.isPending}>
            {words.refund}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
