/** A row of a list of passkeys or keys: name, facts and actions. */
import type { ReactNode } from 'react'

export function SignInMethodRow({
  name,
  mark,
  facts,
  actions,
}: {
  name: string
  mark?: string
  /** Each on its own line. */
  facts: readonly string[]
  actions: ReactNode
}) {
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 border-t border-hairline py-3 first:border-0 first:pt-0">
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-2 font-[560] break-words">
          <bdi className="min-w-0">{name}</bdi>
          {mark !== undefined && <code className="text-sm font-normal text-ink-3">{mark}</code>}
        </p>
        {facts.map((fact) => (
          <p key={fact} className="mt-0.5 text-sm text-ink-2">
            {fact}
          </p>
        ))}
      </div>
      <div className="flex gap-2">{actions}</div>
    </li>
  )
}
