/** One button that starts or pauses playback. */
import { Pause, Play } from 'lucide-react'
import type { ComponentProps } from 'react'
import { IconButton } from './button.tsx'

export function PlayPauseButton({
  isRunning,
  startLabel,
  stopLabel,
  iconSize = 18,
  ...rest
}: {
  isRunning: boolean
  startLabel: string
  stopLabel: string
  iconSize?: number
} & Omit<ComponentProps<typeof IconButton>, 'label' | 'icon'>) {
  const Icon = isRunning ? Pause : Play
  return (
    <IconButton
      label={isRunning ? stopLabel : startLabel}
      icon={<Icon size={iconSize} aria-hidden="true" />}
      {...rest}
    />
  )
}
