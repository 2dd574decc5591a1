/** The content of an empty list: a drawing of the lantern, a text, and one next action. */
import type { ReactNode } from 'react'

export function EmptyState({
  headline,
  children,
  action,
}: {
  headline: string
  children: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="m-auto grid justify-items-center gap-3 px-6 py-12 text-center">
      <svg
        viewBox="0 0 140 92"
        fill="none"
        strokeWidth="1.5"
        strokeLinejoin="round"
        aria-hidden="true"
        className="h-24 w-36 stroke-ink-3"
      >
        <path d="M45 41 130 9v74L45 53z" className="fill-lamp-beam" stroke="none" />
        <path d="M14 33a3 3 0 0 1 3-3h18a3 3 0 0 1 3 3v38a3 3 0 0 1-3 3H17a3 3 0 0 1-3-3z" />
        <path d="M21 30v-9h10v9M38 39h7v16h-7M18 74v7M34 74v7" />
        <path d="M130 7v78" strokeDasharray="3 4" />
      </svg>
      <h2 className="show-voice text-xl font-[500]">{headline}</h2>
      <p className="max-w-[40ch] text-balance text-ink-2">{children}</p>
      {action !== undefined && <div className="mt-1">{action}</div>}
    </div>
  )
}
