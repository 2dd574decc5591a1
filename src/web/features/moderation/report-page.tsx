/** Reporting by address, for whoever was sent a link or found it elsewhere, without an account. */
import { type FormEvent, lazy, Suspense, useState } from 'react'
import { isValid, valuesOf } from '../../form-values.ts'
import { usePageTitle } from '../../page-title.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { reportTargetAt } from './report-address.ts'
import type { ReportTarget } from './report-dialog.tsx'

const ReportDialog = lazy(async () => {
  const { ReportDialog } = await import('./report-dialog.tsx')
  return { default: ReportDialog }
})

export function ReportPage() {
  usePageTitle('Report something')
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
      <h1 className="text-2xl leading-tight font-semibold tracking-[-0.015em]">Report something</h1>
      <p className="mt-3 text-pretty text-ink-2">
        Are you in a picture without having agreed, or is something here against the law? Tell the
        people who run this site. You need no account.
      </p>
      <form noValidate onSubmit={look} className="mt-6 grid gap-4">
        <Failure
          text={
            isUnknown
              ? 'This is no address of a shared session or picture, nor of the community.'
              : null
          }
        />
        <Field
          label="Its address"
          name="address"
          maxLength={2000}
          required
          autoComplete="off"
          help="The link that you were given, or what stands in the browser’s address line."
          complaint="Enter the address of what you want to report."
        />
        <Button type="submit" look="lit" size="big">
          Go on
        </Button>
      </form>
      {target && (
        <Suspense>
          <ReportDialog target={target} onClose={() => setTarget(null)} />
        </Suspense>
      )}
    </div>
  )
}
