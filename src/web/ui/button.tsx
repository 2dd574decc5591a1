/** Buttons, and links that look like them. A view has at most one that is lit: its main action. */
import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'wouter'

type Look = 'lit' | 'line'

export function Button({
  look,
  isBusy = false,
  className = '',
  ...rest
}: { look: Look; isBusy?: boolean } & ComponentProps<'button'>) {
  // A busy button stays in the tab order: disabling it would drop the focus that is on it.
  return (
    <button
      type="button"
      aria-disabled={isBusy}
      {...rest}
      className={`${shape} ${colours[look]} ${isBusy ? 'cursor-progress opacity-80' : 'cursor-pointer'} ${className}`}
    />
  )
}

export function ButtonLink({
  href,
  look,
  className = '',
  children,
}: {
  href: string
  look: Look
  className?: string
  children: ReactNode
}) {
  return (
    <Link href={href} className={`${shape} ${colours[look]} ${className}`}>
      {children}
    </Link>
  )
}

const shape =
  'inline-flex min-h-12 items-center justify-center rounded-control border px-5 text-base ' +
  'leading-tight whitespace-nowrap transition-colors'

const colours: Record<Look, string> = {
  lit: 'border-transparent bg-lamp font-[620] text-on-lamp hover:bg-lamp-hover',
  line: 'border-edge font-[560] text-ink hover:bg-press',
}
