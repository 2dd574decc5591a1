/** The page that reports content by its address, for people without an account. */
import { type FormEvent, useState } from 'react'
import { isValid, valuesOf } from '../../../form-values.ts'
import { usePageTitle } from '../../../page-title.ts'
import { lazyPart } from '../../../parts.ts'
import { Button } from '../../../ui/button.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Field } from '../../../ui/field.tsx'
import { DialogPart } from '../../../ui/dialog-part.tsx'
import { reportTargetAt } from './report-address.ts'
import type { ReportTarget } from './report-dialog.tsx'
import { words as reportWords } from '../words.ts'
import { words } from './words.ts'

const ReportDialog = lazyPart(async () => (await import('./report-dialog.tsx')).ReportDialog)

export function ReportPage() {
  usePageTitle(reportWords.reportSomething)
  const [target, setTarget] = useState<ReportTarget | null>(null)
  const [isUnknown, setIsUnknown] = useState(false)

  function look(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!isValid(event.currentTarget)) return
    const found = reportTargetAt(valuesOf(event.currentTarget)('address'))
    setTarget(found)
    setIsUnknown(found === null)
  }

  return (
    <div className="mx-auto w-full max-w-[32rem] py-6 sm:my-auto">
      <h1 className="text-2xl leading-tight font-semibold tracking-[-0.015em]">
        {reportWords.reportSomething}
      </h1>
      <p className="mt-3 text-pretty text-ink-2">{words.introduction}</p>
      <form noValidate onSubmit={look} className="mt-6 grid gap-4">
        <Failure text={isUnknown ? words.addressUnknown : null} />
        <Field
          label={words.address}
          name="address"
          maxLength={2000}
          required
          autoComplete="off"
          help={words.addressHelp}
          complaint={words.addressMissing}
        />
        <Button type="submit" look="lit" size="big">
          {words.goOn}
        </Button>
      </form>
      {target && (
        <DialogPart>
          <ReportDialog target={target} onClose={() => setTarget(null)} />
        </DialogPart>
      )}
    </div>
  )
}
