/** A control on the picture: an icon with a name, and, where it can be on, whether it is. */
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
  /** Only for what can be switched on and off. */
  isOn?: boolean
  className?: string
  onPress: () => void
}) {
  return (
    <IconButton
      label={name}
      icon={<Icon aria-hidden="true" size={20} strokeWidth={1.6} />}
      aria-pressed={isOn}
      // A mouse does not leave the focus behind: the space bar then still pauses.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
      className={`player-icon ${className}`}
    />
  )
}
