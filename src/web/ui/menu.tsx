/**
 * A menu behind a button. What draws the open menu is loaded when the button is first pointed at
 * or focused, so that pages do not wait for it.
 */
import { type ComponentProps, lazy, type ReactNode, Suspense, useState } from 'react'

const loadMenu = () => import('./open-menu.tsx')
const OpenMenu = lazy(() => loadMenu().then(({ OpenMenu }) => ({ default: OpenMenu })))

export type MenuEntry =
  | {
      readonly kind: 'action'
      readonly label: string
      readonly icon?: ReactNode
      readonly isDestructive?: boolean
      readonly onSelect: () => void
    }
  | {
      readonly kind: 'link'
      readonly label: string
      readonly icon?: ReactNode
      readonly href: string
    }
  | {
      readonly kind: 'choice'
      readonly label: string
      readonly value: string
      readonly options: readonly { readonly value: string; readonly label: string }[]
      readonly onChoose: (value: string) => void
    }
  | { readonly kind: 'line' }

export function Menu({
  label,
  trigger,
  triggerClassName = 'icon-button',
  align = 'end',
  heading,
  entries,
}: {
  label: string
  trigger: ReactNode
  triggerClassName?: string
  /** Which edges of the button and the open menu are in line. */
  align?: 'start' | 'end'
  /** Whose menu it is, or what it is about, above the entries. */
  heading?: ReactNode
  entries: readonly MenuEntry[]
}) {
  const [isOpen, setIsOpen] = useState(false)
  const [isWanted, setIsWanted] = useState(false)
  const button: ComponentProps<'button'> = {
    type: 'button',
    'aria-haspopup': 'menu',
    className: `${triggerClassName} cursor-pointer`,
    children: (
      <>
        {trigger}
        <span className="sr-only">{label}</span>
      </>
    ),
  }
  const closed = (
    <button
      {...button}
      aria-expanded={false}
      onPointerEnter={() => void loadMenu()}
      onFocus={() => void loadMenu()}
      onClick={() => {
        setIsWanted(true)
        setIsOpen(true)
      }}
    />
  )
  if (!isWanted) return closed
  return (
    <Suspense fallback={closed}>
      <OpenMenu
        button={button}
        align={align}
        heading={heading}
        entries={entries}
        isOpen={isOpen}
        onOpenChange={setIsOpen}
      />
    </Suspense>
  )
}
