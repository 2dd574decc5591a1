/** The recognised content, its title, and the button that imports it. */
import { FileArchive, Images, Link2, type LucideIcon, Newspaper } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { codeOf, explain } from '../../api.ts'
import { isValid } from '../../form-values.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { ProgressLine } from '../../ui/progress-line.tsx'
import { formatSize } from '../../words/figures.ts'
import { useAgeGate } from '../accounts/use-age-gate.tsx'
import { SkippedReport } from '../sessions/skipped-report.tsx'
import { TitleField } from '../sessions/title-field.tsx'
import type { Gathered } from '../../uploads/gather-media.ts'
import { isLibrary, skippedOf, useImport } from './bringing.ts'
import type { Recognised } from './recognise.ts'
import { words } from './words.ts'

export function RecognisedPanel({
  found,
  onPictures,
}: {
  found: Recognised
  onPictures: (gathered: Gathered, title: string) => void
}) {
  const [typedTitle, setTypedTitle] = useState<string | null>(null)
  const { importing, error, start } = useStart()
  const panel = useRef<HTMLFormElement>(null)
  // On a phone the panel appears below the visible part.
  useEffect(() => {
    panel.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const suggestion = 'suggestedTitle' in found ? found.suggestedTitle : ''
  const title = (typedTitle ?? suggestion).trim()
  const needsTitle = found.kind !== 'archive' && found.kind !== 'post'

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (importing !== null || !isValid(event.currentTarget)) return
    if (found.kind === 'pictures') {
      onPictures(found.gathered, title)
    } else void start.begin(found, title)
  }

  return (
    <>
      <form
        ref={panel}
        noValidate
        aria-label={words.whatWillBeImported}
        onSubmit={send}
        className="grid scroll-mb-20 gap-4 rounded-mount bg-mount p-5 shadow-mount"
      >
        <Summary found={found} />
        {found.kind !== 'archive' && (
          <TitleField
            value={typedTitle ?? suggestion}
            onChange={setTypedTitle}
            placeholder={needsTitle ? undefined : words.itsOwnTitle}
            isRequired={needsTitle}
          />
        )}
        <Failure text={error && explain(error)} />
        {isLibrary(error) && (
          <p className="text-sm">
            <Link href="/account/downloads" className="text-link">
              {words.restoreOnAccountPage}
            </Link>
          </p>
        )}
        {importing !== null && found.kind === 'archive' ? (
          <Upload file={found.file} share={importing} onStop={start.stop} />
        ) : (
          <>
            <Button type="submit" look="lit" size="big" isBusy={importing !== null}>
              {words.importIt}
            </Button>
            <p className="text-xs text-ink-3">
              {importing !== null && found.kind === 'post'
                ? words.askingForPost
                : words.playableAtOnce}
            </p>
          </>
        )}
        {start.dialog}
      </form>
      <SkippedReport skipped={skippedOf(error)} />
    </>
  )
}

function Summary({ found: { kind, says, notes } }: { found: Recognised }) {
  const Icon = icons[kind]
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3.5">
      <span className="grid size-11 place-items-center self-start rounded-control bg-press">
        <Icon size={20} strokeWidth={1.75} aria-hidden="true" className="text-ink-2" />
      </span>
      <div>
        <h2 className="text-lg leading-snug font-semibold">{says}</h2>
        {notes.map((note) => (
          <p key={note} className="mt-0.5 text-sm break-words text-ink-2">
            <bdi>{note}</bdi>
          </p>
        ))}
      </div>
    </div>
  )
}

const icons: Record<Recognised['kind'], LucideIcon> = {
  archive: FileArchive,
  pictures: Images,
  post: Images,
  urls: Link2,
  listing: Newspaper,
}

function Upload({ file, share, onStop }: { file: File; share: number; onStop: () => void }) {
  return (
    <div className="grid gap-3">
      <ProgressLine label={words.uploadingArchive} share={share} />
      <div className="flex items-center justify-between gap-4">
        <p className="text-sm text-ink-2">
          {share < 1
            ? words.partSent({
                sent: formatSize(Math.round(file.size * share)),
                size: formatSize(file.size),
              })
            : words.archiveUnpacked}
        </p>
        <Button look="bare" size="small" onClick={onStop}>
          {words.stop}
        </Button>
      </div>
    </div>
  )
}

/** Sends the import, and again after the user has confirmed their age. */
function useStart() {
  const send = useImport()
  const age = useAgeGate()
  const [share, setShare] = useState(0)
  const stopping = useRef<AbortController | null>(null)

  async function begin(found: Parameters<typeof send.mutate>[0]['found'], title: string) {
    stopping.current = new AbortController()
    setShare(0)
    try {
      const { signal } = stopping.current
      await send.mutateAsync({ found, title, onShare: setShare, signal })
    } catch (error) {
      // The panel shows any other failure.
      if (codeOf(error) === 'AGE_VERIFICATION_REQUIRED' && (await age.confirm()))
        await begin(found, title)
    }
  }

  const wasStopped = send.error instanceof DOMException && send.error.name === 'AbortError'
  return {
    /** The share that was sent, null when nothing is being sent. */
    importing: send.isPending ? share : null,
    error: wasStopped ? null : send.error,
    start: { begin, stop: () => stopping.current?.abort(), dialog: age.dialog },
  }
}
