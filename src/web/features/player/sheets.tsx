/** The sheets of the player that are read: the keys, and what there is to know of a picture. */
import { ArrowLeft, ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { shownIndex } from './engine/show.ts'
import { keyGroups } from './key-help.ts'
import { SettingsSheet, type SheetProps } from './settings-sheet.tsx'
import { canFullScreen } from './use-screen.ts'
import type { SheetName } from './use-sheet.ts'

export function OpenSheet({ name, ...props }: SheetProps & { name: SheetName }) {
  switch (name) {
    case 'help':
      return <HelpSheet close={props.close} />
    case 'about':
      return <AboutSheet {...props} />
    case 'settings':
      return <SettingsSheet {...props} />
  }
}

function HelpSheet({ close }: { close: () => void }) {
  const groups = keyGroups.map(({ name, keys }) => ({
    name,
    keys: keys.filter(({ caps }) => !caps.includes('F') || canFullScreen()),
  }))
  return (
    <Dialog title="Keys and touch" onClose={close} width="wide" theme="dark">
      <div className="grid grid-cols-[4fr_3fr_3fr] gap-5 text-sm max-sm:hidden">
        {groups.map(({ name, keys }) => (
          <section key={name}>
            <h3 className="mb-2 font-semibold text-ink-2">{name}</h3>
            <ul className="grid grid-cols-[max-content_1fr] items-center gap-x-3 gap-y-2.5">
              {keys.map(({ caps, does }) => (
                <li key={does} className="contents">
                  <span className="flex items-center gap-1 text-xs text-ink-2">
                    {caps.map(cap)}
                  </span>
                  {does}
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <dl className="grid gap-2.5 sm:hidden">
        <Pair name="Tap left, right">Previous, next</Pair>
        <Pair name="Tap the middle">Controls</Pair>
        <Pair name="Swipe">Turn the slide</Pair>
        <Pair name="Hold">Pause while held</Pair>
        <Pair name="Two fingers">Look closer</Pair>
      </dl>
      <p className="flex items-center gap-3.5 rounded-control bg-well px-4 py-3 text-sm text-ink-2">
        <kbd className="max-sm:hidden">B</kbd>
        <span>
          <b className="font-semibold text-ink">Blackout.</b>{' '}
          <span className="max-sm:hidden">
            Everything goes dark and silent at once; any other key brings it back.
          </span>
          <span className="sm:hidden">Three fingers: dark and silent at once.</span>
        </span>
      </p>
    </Dialog>
  )
}

function cap(name: string) {
  if (name === '–') return <span key={name}>to</span>
  if (name === '←')
    return (
      <kbd key={name}>
        <ArrowLeft aria-label="Left arrow" size={14} />
      </kbd>
    )
  if (name === '→')
    return (
      <kbd key={name}>
        <ArrowRight aria-label="Right arrow" size={14} />
      </kbd>
    )
  return <kbd key={name}>{name}</kbd>
}

function AboutSheet({ playback, state, close }: SheetProps) {
  const index = shownIndex(state.show)
  const slide = index === null ? undefined : playback.playlist.slides[index]
  if (!slide || index === null) return null
  const size =
    slide.widthPx === null || slide.heightPx === null
      ? null
      : `${slide.widthPx} × ${slide.heightPx}`
  const hold = state.show.slides[index]?.holdMs ?? slide.holdMs
  return (
    <Dialog title="About this picture" onClose={close} theme="dark">
      <dl className="grid gap-2.5">
        <Pair name="Slide">{`${index + 1} of ${playback.playlist.slides.length}`}</Pair>
        {slide.subfeed !== null && <Pair name="Subfeed">{slide.subfeed}</Pair>}
        <Pair name="Kind">{kindWords[slide.type]}</Pair>
        {size !== null && <Pair name="Size">{`${size} px`}</Pair>}
        <Pair name="Shown for">
          {slide.endsItself ? 'its own length' : `${(hold / 1000 / state.show.speed).toFixed(1)} s`}
        </Pair>
      </dl>
      {slide.postUrl !== null && (
        <a
          href={slide.postUrl}
          target="_blank"
          rel="noreferrer"
          className="button button-plain button-normal"
        >
          Open the post
        </a>
      )}
    </Dialog>
  )
}

const kindWords = { image: 'Picture', gif: 'Animation', video: 'Video' } as const

function Pair({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[8.5rem_1fr]">
      <dt className="text-ink-2">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
