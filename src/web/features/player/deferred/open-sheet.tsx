/** The sheets of the player: key help, facts about the picture, settings and other screens. */
import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, type LucideIcon } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { lazyPart } from '../../../parts.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { shownIndex } from '../engine/show.ts'
import { blackoutKey, keyGroups } from './key-help.ts'
import { SettingsSheet, type SheetProps } from './settings-sheet.tsx'
import { canFullScreen } from '../use-screen.ts'
import type { SheetName } from '../use-sheet.ts'
import { formatMoment, formatTenths } from '../../../words/figures.ts'
import { words as playerWords } from '../words.ts'
import { useSlideFile } from './slide-file.ts'
import { words } from './words.ts'

export function OpenSheet({ name, ...props }: SheetProps & { name: SheetName }) {
  switch (name) {
    case 'help':
      return <HelpSheet close={props.close} />
    case 'about':
      return <AboutSheet {...props} />
    case 'settings':
      return <SettingsSheet {...props} />
    case 'screens':
      return <ScreensSheet {...props} />
  }
}

const OtherScreens = lazyPart(
  async () => (await import('../../rooms/other-screens.tsx')).OtherScreens,
)

/** Renders nothing for a preview or a published session: only a full session plays on other screens. */
function ScreensSheet({ playback, close }: SheetProps) {
  const { session, headers } = playback.playlist
  if (!session) return null
  return (
    <Suspense fallback={null}>
      <OtherScreens sessionId={session.id} headers={headers} close={close} />
    </Suspense>
  )
}

function HelpSheet({ close }: { close: () => void }) {
  const groups = keyGroups.map(({ name, keys }) => ({
    name,
    keys: keys.filter(({ caps }) => !caps.includes('F') || canFullScreen()),
  }))
  return (
    <Dialog title={words.keysAndTouch} onClose={close} width="wide" theme="dark">
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
        <Pair name={words.touch.sides}>{words.previousNext}</Pair>
        <Pair name={words.touch.middle}>{playerWords.controls}</Pair>
        <Pair name={words.touch.swipe}>{words.touch.turn}</Pair>
        <Pair name={words.touch.down}>{playerWords.leave}</Pair>
        <Pair name={words.touch.hold}>{words.touch.pause}</Pair>
        <Pair name={words.touch.fingers}>{words.touch.closer}</Pair>
        <Pair name={words.touch.twice}>{words.touch.closer}</Pair>
      </dl>
      <p className="flex items-center gap-3.5 rounded-control bg-well px-4 py-3 text-sm text-ink-2">
        <kbd className="max-sm:hidden">{blackoutKey}</kbd>
        <span>
          <b className="font-semibold text-ink">{words.blackout}</b>{' '}
          <span className="max-sm:hidden">{words.blackoutByKey}</span>
          <span className="sm:hidden">{words.blackoutByTouch}</span>
        </span>
      </p>
    </Dialog>
  )
}

function cap(name: string) {
  if (name === '–') return <span key={name}>{words.caps.to}</span>
  const arrow = arrows[name]
  return <kbd key={name}>{arrow ? <arrow.icon aria-label={arrow.name} size={14} /> : name}</kbd>
}

const arrows: Readonly<Record<string, { icon: LucideIcon; name: string }>> = {
  '←': { icon: ArrowLeft, name: words.caps.left },
  '→': { icon: ArrowRight, name: words.caps.right },
  '↑': { icon: ArrowUp, name: words.caps.up },
  '↓': { icon: ArrowDown, name: words.caps.down },
}

function AboutSheet({ playback, state, close }: SheetProps) {
  const index = shownIndex(state.show)
  const slide = index === null ? undefined : playback.playlist.slides[index]
  const file = useSlideFile(slide?.mediaUrl ?? '', playback.playlist)
  if (!slide || index === null) return null
  const size =
    slide.widthPx === null || slide.heightPx === null
      ? null
      : words.pixels({ width: String(slide.widthPx), height: String(slide.heightPx) })
  const hold = state.show.slides[index]?.holdMs ?? slide.holdMs
  const { credit } = slide
  const postUrl = webLink(slide.postUrl ?? credit?.url ?? null)
  const licenceUrl = webLink(credit?.licence?.url ?? null)
  return (
    <Dialog title={playerWords.about} onClose={close} theme="dark">
      <dl className="grid gap-2.5">
        <Pair name={playerWords.slide}>
          {words.position({ slide: index + 1, total: playback.playlist.slides.length })}
        </Pair>
        {file.name !== '' && (
          <Pair name={words.fileName}>
            <bdi>{file.name}</bdi>
          </Pair>
        )}
        {file.addedAt !== null && (
          <Pair name={words.fileAdded}>{formatMoment(new Date(file.addedAt))}</Pair>
        )}
        {slide.subfeed !== null && (
          <Pair name={words.subfeed}>
            <bdi>{slide.subfeed}</bdi>
          </Pair>
        )}
        {credit?.author != null && (
          <Pair name={words.author}>
            <bdi>{credit.author}</bdi>
          </Pair>
        )}
        {credit?.licence != null && (
          <Pair name={words.licence}>
            {licenceUrl === null ? (
              credit.licence.name
            ) : (
              <a href={licenceUrl} target="_blank" rel="noreferrer license">
                {credit.licence.name}
              </a>
            )}
          </Pair>
        )}
        {slide.alt !== null && <Pair name={words.shows}>{slide.alt}</Pair>}
        <Pair name={words.kind}>{words.kinds[slide.type]}</Pair>
        {size !== null && <Pair name={words.size}>{size}</Pair>}
        <Pair name={words.shownFor}>
          {slide.endsItself
            ? words.ownLength
            : playerWords.seconds({ seconds: formatTenths(hold / 1000 / state.show.speed) })}
        </Pair>
      </dl>
      {postUrl !== null && (
        <a
          href={postUrl}
          target="_blank"
          rel="noreferrer"
          className="button button-plain button-normal"
        >
          {words.openPost}
        </a>
      )}
    </Dialog>
  )
}

function Pair({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[8.5rem_minmax(0,1fr)] break-words">
      <dt className="text-ink-2">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/**
 * Returns the address only if it is safe to open. Sessions of earlier versions may contain links with
 * other schemes than http, or links to the API of this site.
 */
function webLink(address: string | null): string | null {
  if (address === null || !URL.canParse(address, location.href)) return null
  const { protocol, origin, pathname } = new URL(address, location.href)
  const isSafe =
    origin === location.origin ? !pathname.startsWith('/api/') : /^https?:$/.test(protocol)
  return isSafe ? address : null
}
