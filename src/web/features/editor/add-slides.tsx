/** Adds slides: the user's own files, addresses, or posts of a feed. */
import { Activity, useState } from 'react'
import { Segment } from '../../ui/choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FromAddresses } from './from-addresses.tsx'
import { FromFeed } from './from-feed.tsx'
import { FromVault } from './from-vault.tsx'
import { type EditedSlide, maxSlides } from './slides.ts'
import { words } from './words.ts'

type SlideSource = 'vault' | 'addresses' | 'feed'

export type AddProps = {
  /** Also closes the dialog. */
  readonly onAdd: (slides: readonly EditedSlide[]) => void
  /** The number of slides that may still be added. */
  readonly room: number
}

export function AddSlides({
  slides,
  onAdd,
  onClose,
}: {
  slides: readonly EditedSlide[]
  onAdd: (slides: readonly EditedSlide[]) => void
  onClose: () => void
}) {
  const [source, setSource] = useState<SlideSource>('vault')
  const room = maxSlides - slides.length
  const add = (added: readonly EditedSlide[]) => {
    onAdd(added.slice(0, room))
    onClose()
  }
  // A hidden source keeps its picks and its input, but its effects are off.
  const modeOf = (one: SlideSource) => (one === source ? 'visible' : 'hidden')
  return (
    <Dialog title={words.addSlides} onClose={onClose} width="wide">
      <div>
        <Segment
          label={words.whereFrom}
          value={source}
          onChoose={setSource}
          options={[
            { value: 'vault', label: words.vault },
            { value: 'addresses', label: words.addresses },
            { value: 'feed', label: words.feedSearch },
          ]}
        />
      </div>
      <Activity mode={modeOf('vault')}>
        <FromVault onAdd={add} room={room} />
      </Activity>
      <Activity mode={modeOf('addresses')}>
        <FromAddresses onAdd={add} room={room} />
      </Activity>
      <Activity mode={modeOf('feed')}>
        <FromFeed slides={slides} onAdd={add} room={room} />
      </Activity>
    </Dialog>
  )
}
