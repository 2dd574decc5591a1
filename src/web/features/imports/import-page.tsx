/** Brings a session from elsewhere: what is dropped, chosen or pasted is recognised before it is sent. */
import { FileArchive, Images, Link2, Newspaper } from 'lucide-react'
import { type ClipboardEvent, useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'wouter'
import { PageHead } from '../../frame/page-head.tsx'
import { usePageTitle } from '../../page-title.ts'
import { Failure } from '../../ui/failure.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { useBringing } from './bringing.ts'
import { DropZone } from './drop-zone.tsx'
import { ImportedSession } from './imported-session.tsx'
import { RecognisedPanel } from './recognised-panel.tsx'

export function ImportPage() {
  usePageTitle('Import')
  const [params] = useSearchParams()
  const sessionId = params.get('session')
  return sessionId === null ? <Bringing /> : <ImportedSession key={sessionId} id={sessionId} />
}

function Bringing() {
  const { found, text, takeFiles, takeText, isSending } = useBringing()
  const [isTyping, setIsTyping] = useState(false)
  usePagePaste({ onFiles: (files) => void takeFiles(files), onText: takeText })
  const recognised = found === null || found.kind === 'nothing' ? null : found
  return (
    <div className="mx-auto grid w-full max-w-[72rem] gap-x-14 gap-y-6 lg:grid-cols-[minmax(0,1fr)_25rem]">
      <div className="grid content-start gap-4">
        <div>
          <PageHead title="Import" back={{ href: '/library', label: 'Back to sessions' }} />
          <p className="text-sm text-ink-2">
            Bring pictures from elsewhere. They become a session of yours, and it costs nothing.
          </p>
        </div>
        <DropZone
          isSmall={recognised !== null}
          onFiles={(files) => void takeFiles(files)}
          onText={takeText}
        />
        <TextArea
          label="Or paste it"
          help="An imgchest address, addresses of pictures and videos line by line, or a listing as JSON"
          rows={recognised === null ? 4 : 3}
          value={text}
          readOnly={isSending}
          spellCheck={false}
          autoCapitalize="off"
          placeholder="https://imgchest.com/p/3na7kr3by8d"
          onPaste={pasteFiles((files) => void takeFiles(files))}
          onBlur={() => setIsTyping(false)}
          onChange={(event) => {
            // What is half typed is not wrong yet.
            setIsTyping(!isPaste(event.nativeEvent))
            takeText(event.currentTarget.value)
          }}
        />
        <Failure text={found?.kind === 'nothing' && !isTyping ? found.why : null} />
      </div>
      <div className="grid content-start gap-4 lg:sticky lg:top-24 lg:self-start">
        <output className="sr-only">{recognised?.says}</output>
        {recognised ? <RecognisedPanel found={recognised} /> : <Ways />}
      </div>
    </div>
  )
}

function Ways() {
  return (
    <Panel title="What can be brought">
      <ul className="grid gap-4 text-sm">
        {ways.map(({ Icon, name, words }) => (
          <li key={name} className="grid grid-cols-[auto_1fr] gap-x-3">
            <Icon size={18} strokeWidth={1.75} aria-hidden="true" className="mt-0.5 text-ink-3" />
            <div>
              <p className="font-[560]">{name}</p>
              <p className="text-ink-2">{words}</p>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const ways = [
  {
    Icon: FileArchive,
    name: 'A session’s zip',
    words: 'Downloaded here or from another Lanternist, with its captions and settings.',
  },
  { Icon: Images, name: 'An imgchest post', words: 'By its address, in its order.' },
  {
    Icon: Link2,
    name: 'Addresses',
    words: 'Of pictures and videos, up to 500: a text file, a paste, or links that you drag here.',
  },
  {
    Icon: Newspaper,
    name: 'A Reddit or Lemmy listing',
    words: 'The JSON that their pages give, saved from your own browser.',
  },
]

/** What is pasted while no field has the focus is meant for the page. */
function usePagePaste(takers: {
  onFiles: (files: readonly File[]) => void
  onText: (text: string) => void
}) {
  const take = useEffectEvent(({ clipboardData, target }: globalThis.ClipboardEvent) => {
    if (!clipboardData) return
    if (target instanceof Element && target.closest('textarea, input')) return
    if (clipboardData.files.length > 0) takers.onFiles([...clipboardData.files])
    else if (clipboardData.getData('text/plain') !== '')
      takers.onText(clipboardData.getData('text/plain'))
  })
  useEffect(() => {
    const hear = (event: globalThis.ClipboardEvent) => take(event)
    window.addEventListener('paste', hear)
    return () => window.removeEventListener('paste', hear)
  }, [])
}

/** A field takes only the text of what is pasted; a copied file is meant as well. */
function pasteFiles(onFiles: (files: readonly File[]) => void) {
  return (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    if (files.length === 0) return
    event.preventDefault()
    onFiles(files)
  }
}

function isPaste(event: Event): boolean {
  return event instanceof InputEvent && event.inputType.startsWith('insertFrom')
}
