/** A failure in words: beside what caused it, or in place of what could not be shown. */
import { CircleAlert } from 'lucide-react'
import { explain } from '../api.ts'
import { Button } from './button.tsx'

/** The region is always there, so that screen readers notice when words come into it. */
export function Failure({ text }: { text: string | null | undefined }) {
  return (
    <p
      role="alert"
      className="rounded-control bg-danger-tint px-3 py-2.5 font-[560] text-danger empty:hidden"
    >
      {text}
    </p>
  )
}

/** In place of a page, or a part of one, whose content did not come. */
export function CannotShow({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className="m-auto grid max-w-[26rem] justify-items-center gap-3 py-16 text-center">
      <CircleAlert size={28} strokeWidth={1.5} aria-hidden="true" className="text-ink-3" />
      <p role="alert" className="text-balance text-ink-2">
        {explain(error)}
      </p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}
