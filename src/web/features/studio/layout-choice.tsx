/** The layout of a composition: automatic, side by side, or stacked. */
import { Columns2, Rows2 } from 'lucide-react'
import { Segment } from '../../ui/choice.tsx'
import { composeWords } from './compose-words.ts'

export type ChosenLayout = 'auto' | 'side-by-side' | 'top-bottom'

const icon = { size: 16, 'aria-hidden': true, className: 'me-1.5' } as const

const layoutOptions = [
  { value: 'auto', label: composeWords.layouts.auto },
  {
    value: 'side-by-side',
    label: composeWords.layouts.side,
    drawing: <Columns2 {...icon} />,
  },
  { value: 'top-bottom', label: composeWords.layouts.stack, drawing: <Rows2 {...icon} /> },
] as const

export function LayoutChoice({
  value,
  onChoose,
}: {
  value: ChosenLayout
  onChoose: (layout: ChosenLayout) => void
}) {
  return (
    <Segment
      label={composeWords.layout}
      options={layoutOptions}
      value={value}
      onChoose={onChoose}
    />
  )
}
