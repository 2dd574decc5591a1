/**
 * A menu behind a button, with arrow keys, first letters and Escape. Closing it returns the focus to the
 * button.
 */
import { Check } from 'lucide-react'
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { Link } from 'wouter'
import { positionMenu } from './menu-position.ts'

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
  /** The edge at which the menu aligns with the button. */
  align?: 'start' | 'end'
  /** The title above the entries, such as the owner's name. */
  heading?: ReactNode
  entries: readonly MenuEntry[]
}) {
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const buttonId = useId()
  useEffect(() => {
    if (!isOpen || !button.current || !menu.current) return
    return showMenu(button.current, menu.current, { align, onLeave: () => setIsOpen(false) })
  }, [isOpen, align])

  function close(): void {
    setIsOpen(false)
    button.current?.focus({ preventScroll: true })
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault()
      event.stopPropagation()
      close()
      return
    }
    const items = menu.current ? itemsOf(menu.current) : []
    const next = itemForKey(items, event.key)
    if (!next) return
    event.preventDefault()
    next.focus()
  }

  return (
    <>
      <button
        ref={button}
        id={buttonId}
        type="button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        className={`${triggerClassName} cursor-pointer`}
        onClick={() => setIsOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' || isOpen) return
          event.preventDefault()
          setIsOpen(true)
        }}
      >
        {trigger}
        <span className="sr-only">{label}</span>
      </button>
      {isOpen && (
        <div
          ref={menu}
          role="menu"
          aria-labelledby={buttonId}
          tabIndex={-1}
          popover="manual"
          className="menu"
          onKeyDown={onKeyDown}
        >
          {heading}
          {entries.map((entry, index) => (
            <Entry
              key={entry.kind === 'line' ? `line-${index}` : entry.label}
              entry={entry}
              close={close}
            />
          ))}
        </div>
      )}
    </>
  )
}

function Entry({ entry, close }: { entry: MenuEntry; close: () => void }) {
  if (entry.kind === 'line') return <hr className="mx-2.5 my-1.5 h-px border-0 bg-hairline" />
  if (entry.kind === 'link')
    return (
      <Item href={entry.href} onSelect={close}>
        {entry.icon}
        {entry.label}
      </Item>
    )
  if (entry.kind === 'action')
    return (
      <Item
        className={entry.isDestructive ? 'text-danger' : ''}
        // The button has the focus again before a dialog opens and stores the element to return to.
        onSelect={() => {
          close()
          entry.onSelect()
        }}
      >
        {entry.icon}
        {entry.label}
      </Item>
    )
  return <Choice {...entry} />
}

/** Keeps the menu open, so that the user sees the effect of a choice. */
function Choice({ label, value, options, onChoose }: Extract<MenuEntry, { kind: 'choice' }>) {
  const id = useId()
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is no part of a menu
    <div role="group" aria-labelledby={id} className="grid">
      <div id={id} className="px-2.5 pt-1.5 pb-1 text-xs text-ink-3">
        {label}
      </div>
      {options.map((option) => (
        <Item
          key={option.value}
          className="justify-between"
          isChosen={option.value === value}
          onSelect={() => onChoose(option.value)}
        >
          {option.label}
          {option.value === value && <Check size={16} aria-hidden="true" />}
        </Item>
      ))}
    </div>
  )
}

function Item({
  href,
  isChosen,
  className = '',
  onSelect,
  children,
}: {
  href?: string
  /** For an option among several that exclude each other. */
  isChosen?: boolean
  className?: string
  onSelect: () => void
  children: ReactNode
}) {
  const item = useRef<HTMLElement>(null)
  const props = {
    role: isChosen === undefined ? 'menuitem' : 'menuitemradio',
    'aria-checked': isChosen,
    tabIndex: -1,
    className: `menu-item ${className}`,
    onClick: onSelect,
    // The pointer and the keys move the same highlight.
    onPointerMove: () => item.current?.focus({ preventScroll: true }),
  }
  if (href === undefined)
    return (
      <button ref={item as Ref<HTMLButtonElement>} type="button" {...props}>
        {children}
      </button>
    )
  return (
    <Link ref={item as Ref<HTMLAnchorElement>} href={href} {...props}>
      {children}
    </Link>
  )
}

/**
 * Places the menu beside its button and focuses its first item. Returns a function that removes the
 * listeners.
 */
function showMenu(
  button: HTMLElement,
  menu: HTMLElement,
  { align, onLeave }: { align: 'start' | 'end'; onLeave: () => void },
): () => void {
  if ('showPopover' in menu) menu.showPopover()
  positionMenu(button, menu, align)
  itemsOf(menu)[0]?.focus({ preventScroll: true })
  const leaving = new AbortController()
  const { signal } = leaving
  const { scrollX, scrollY } = window
  // The event of a scroll that ended before the menu opened arrives after it.
  const onScroll = () => {
    if (window.scrollX !== scrollX || window.scrollY !== scrollY) onLeave()
  }
  const onPointer = ({ target }: Event) => {
    if (target instanceof Node && !menu.contains(target) && !button.contains(target)) onLeave()
  }
  document.addEventListener('pointerdown', onPointer, { capture: true, signal })
  window.addEventListener('resize', onLeave, { signal })
  window.addEventListener('scroll', onScroll, { signal })
  return () => leaving.abort()
}

function itemsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('.menu-item')]
}

/**
 * Finds the item that a key moves to. Arrows wrap around; a letter selects the next item that begins with it.
 */
function itemForKey(items: readonly HTMLElement[], key: string): HTMLElement | undefined {
  const index = items.findIndex((item) => item === document.activeElement)
  if (key === 'ArrowDown') return items[(index + 1) % items.length]
  if (key === 'ArrowUp') return items.at(index <= 0 ? -1 : index - 1)
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  if (key.length !== 1 || key === ' ') return undefined
  const letter = key.toLocaleLowerCase()
  return [...items.slice(index + 1), ...items.slice(0, index + 1)].find((item) =>
    item.textContent.trim().toLocaleLowerCase().startsWith(letter),
  )
}
