/** The part of a menu that is loaded late: its list, focus and keys. */
import { Check } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'wouter'
import type { MenuEntry } from './menu.tsx'

export function OpenMenu({
  button,
  align,
  heading,
  entries,
  isOpen,
  onOpenChange,
}: {
  button: ComponentProps<'button'>
  align: 'start' | 'end'
  heading: ReactNode
  entries: readonly MenuEntry[]
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}) {
  // Not modal: the library would lock the page's scrolling by a style element, which is refused.
  return (
    <DropdownMenu.Root modal={false} open={isOpen} onOpenChange={onOpenChange}>
      <DropdownMenu.Trigger {...button} />
      <DropdownMenu.Portal>
        <DropdownMenu.Content align={align} sideOffset={6} collisionPadding={10} className="menu">
          {heading}
          {entries.map((entry, index) => (
            <Entry key={entry.kind === 'line' ? `line-${index}` : entry.label} entry={entry} />
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

function Entry({ entry }: { entry: MenuEntry }) {
  if (entry.kind === 'line')
    return <DropdownMenu.Separator className="mx-2.5 my-1.5 h-px bg-hairline" />
  if (entry.kind === 'link')
    return (
      <DropdownMenu.Item asChild>
        <Link href={entry.href} className="menu-item">
          {entry.icon}
          {entry.label}
        </Link>
      </DropdownMenu.Item>
    )
  if (entry.kind === 'action')
    return (
      <DropdownMenu.Item
        onSelect={entry.onSelect}
        className={`menu-item ${entry.isDestructive ? 'text-danger' : ''}`}
      >
        {entry.icon}
        {entry.label}
      </DropdownMenu.Item>
    )
  return (
    <DropdownMenu.RadioGroup value={entry.value} onValueChange={entry.onChoose}>
      <DropdownMenu.Label className="px-2.5 pt-1.5 pb-1 text-xs text-ink-3">
        {entry.label}
      </DropdownMenu.Label>
      {entry.options.map((option) => (
        <DropdownMenu.RadioItem
          key={option.value}
          value={option.value}
          onSelect={(event) => event.preventDefault()}
          className="menu-item justify-between"
        >
          {option.label}
          <DropdownMenu.ItemIndicator>
            <Check size={16} aria-hidden="true" />
          </DropdownMenu.ItemIndicator>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  )
}
