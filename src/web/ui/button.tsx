/** Buttons, and links that look like buttons. A view has at most one `lit` button: its main action. */
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { Link } from 'wouter'

export type ButtonLook = 'lit' | 'plain' | 'line' | 'bare' | 'danger'
type Size = 'small' | 'normal' | 'big'

type Appearance = {
  look?: ButtonLook
  size?: Size
  icon?: ReactNode
  /** The price of the action, shown at the end of the label after a thin line. */
  price?: string | undefined
}

export function Button({
  look = 'plain',
  size = 'normal',
  icon,
  price,
  isBusy = false,
  className = '',
  children,
  onClick,
  ...rest
}: Appearance & { isBusy?: boolean } & ComponentProps<'button'>) {
  // A busy button stays enabled: disabling it would lose the keyboard focus.
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (isBusy) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      type="button"
      aria-disabled={isBusy}
      onClick={press}
      {...rest}
      className={`button ${looks[look]} ${sizes[size]} ${className}`}
    >
      <Label icon={icon} price={price}>
        {children}
      </Label>
    </button>
  )
}

export function ButtonLink({
  href,
  look = 'plain',
  size = 'normal',
  icon,
  price,
  className = '',
  children,
}: Appearance & { href: string; className?: string; children: ReactNode }) {
  return (
    <Link href={href} className={`button ${looks[look]} ${sizes[size]} ${className}`}>
      <Label icon={icon} price={price}>
        {children}
      </Label>
    </Link>
  )
}

/** A button with only an icon. The label is its accessible name and its tooltip. */
export function IconButton({
  label,
  icon,
  className = '',
  ...rest
}: { label: string; icon: ReactNode } & Omit<ComponentProps<'button'>, 'children'>) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={`icon-button ${className}`}
    >
      {icon}
    </button>
  )
}

function Label({
  icon,
  price,
  children,
}: {
  icon: ReactNode
  price: string | undefined
  children: ReactNode
}) {
  return (
    <>
      {icon}
      {children}
      {price !== undefined && <span className="button-price">{price}</span>}
    </>
  )
}

const looks: Record<ButtonLook, string> = {
  lit: 'button-lit',
  plain: 'button-plain',
  line: 'button-line',
  bare: 'button-bare',
  danger: 'button-danger',
}

const sizes: Record<Size, string> = {
  small: 'min-h-8 px-2.5 text-sm',
  normal: 'button-normal',
  big: 'min-h-12 px-5 text-base',
}
