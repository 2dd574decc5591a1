/** The instructions for a pending payment: a checkout, an invoice in Telegram, or a transfer. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { type FormEvent, Suspense } from 'react'
import { client, explain } from '../../api.ts'
import { isValid, valuesOf } from '../../form-values.ts'
import { lazyPart } from '../../parts.ts'
import { keys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import type { Payment } from './payment-data.ts'
import { words } from './payment-words.ts'
import { amountInUnits, chainName, transferAddress } from './transfer-address.ts'

const QrCode = lazyPart(async () => (await import('../../ui/qr-code.tsx')).QrCode)

type Transfer = NonNullable<Payment['transfer']>

export function PaymentSteps({ payment }: { payment: Payment }) {
  const { checkoutUrl, invoiceLink, transfer, paymentId } = payment
  return (
    <div className="mt-4 grid gap-5">
      {checkoutUrl !== undefined && (
        <Elsewhere href={checkoutUrl} label={words.toCheckout} qrLabel={words.checkoutQr} />
      )}
      {invoiceLink !== undefined && (
        <Elsewhere href={invoiceLink} label={words.toTelegram} qrLabel={words.invoiceQr} />
      )}
      {transfer && <TransferSteps transfer={transfer} />}
      {transfer && <TransactionForm paymentId={paymentId} />}
    </div>
  )
}

function Elsewhere({ href, label, qrLabel }: { href: string; label: string; qrLabel: string }) {
  return (
    <>
      <a
        href={href}
        target="_blank"
        rel="noreferrer"
        className="button button-lit min-h-12 px-5 text-base"
      >
        <ExternalLink size={18} aria-hidden="true" />
        {label}
      </a>
      <Qr text={href} label={qrLabel} />
    </>
  )
}

function TransferSteps({ transfer }: { transfer: Transfer }) {
  return (
    <>
      <p className="text-sm text-ink-2">{words.transferSteps}</p>
      <div className="grid gap-3">
        <Copied name={words.amount} label={words.copyAmount} text={amountInUnits(transfer)} />
        <div className="text-sm">
          <p className="font-[560]">{words.chain}</p>
          <p className="mt-1">{chainName(transfer.chainId)}</p>
        </div>
        <Copied name={words.token} label={words.copyToken} text={transfer.token} />
        <Copied name={words.recipient} label={words.copyRecipient} text={transfer.recipient} />
      </div>
      <Qr text={transferAddress(transfer)} label={words.transferQr} />
    </>
  )
}

function Copied({ name, label, text }: { name: string; label: string; text: string }) {
  return (
    <div>
      <p className="mb-1.5 text-sm font-[560]">{name}</p>
      <CopyField label={name} copyLabel={label} text={text} />
    </div>
  )
}

function Qr({ text, label }: { text: string; label: string }) {
  return (
    <div className="min-h-[17rem]">
      <Suspense>
        <QrCode text={text} label={label} fileName="payment" />
      </Suspense>
    </div>
  )
}

function TransactionForm({ paymentId }: { paymentId: number }) {
  const queryClient = useQueryClient()
  const submit = useMutation({
    mutationFn: (txHash: string) =>
      client.payments.submitTransaction({
        params: { id: String(paymentId) },
        body: { txHash },
      }),
    onSuccess: (payment) => queryClient.setQueryData(keys.payment(paymentId), payment),
  })
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (isValid(form)) submit.mutate(valuesOf(form)('txHash').trim())
  }
  return (
    <form noValidate onSubmit={send} className="grid gap-3 border-t border-hairline pt-4">
      <Field
        label={words.txHash}
        name="txHash"
        help={words.txHashHelp}
        complaint={words.txHashWrong}
        required
        pattern="\s*0x[0-9a-fA-F]{64}\s*"
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
      />
      <Failure text={submit.error && explain(submit.error)} />
      <output className="text-sm text-ink-2 empty:hidden">
        {submit.isSuccess && words.txHashTaken}
      </output>
      <div>
        <Button type="submit" look="line" isBusy={submit.isPending}>
          {words.sendTxHash}
        </Button>
      </div>
    </form>
  )
}
