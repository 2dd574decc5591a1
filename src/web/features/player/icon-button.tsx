/** A control on the picture: an icon with a name and, for a toggle, its state. */
import type { LucideIcon } from 'lucide-react'
import { IconButton } from '../../ui/button.tsx'

export function PlayerIcon({
  icon: Icon,
  name,
  isOn,
  className = '',
  onPress,
}: {
  icon: LucideIcon
  name: string
  /** Only for toggles. */
  isOn?: boolean
  className?: string
  onPress: () => void
}) {
  return (
    <IconButton
      label={name}
      icon={<Icon aria-hidden="true" size={20} strokeWidth={1.6} />}
      aria-pressed={isOn}
      // A mouse click does not focus the button, so the space bar still pauses.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
      className={`player-icon ${className}`}
    />
  )
}
