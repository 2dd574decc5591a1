/** Imports a session: recognises dropped, chosen or pasted content before anything is sent. */
import { FileArchive, FolderOpen, Images, Link2, Newspaper } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { PageHead } from '../../frame/page-head.tsx'
import { usePageTitle } from '../../page-title.ts'
import { Failure } from '../../ui/failure.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { filesOfList } from '../../uploads/brought-files.ts'
import { FileButton } from '../../uploads/file-button.tsx'
import { takeHandedOver, useTaker } from '../../uploads/page-intake.ts'
import { useBringing, useMakePictures } from './bringing.ts'
import { DropZone } from './drop-zone.tsx'
import { ImportedSession } from './imported-session.tsx'
import { maxAddresses } from './recognise.ts'
import { RecognisedPanel } from './recognised-panel.tsx'
import { forgetShared, readShared } from '../../worker/shared-files.ts'
import { words } from './words.ts'

const examplePost = 'https://imgchest.com/p/3na7kr3by8d'
const typingPauseMs = 1500

export function ImportPage() {
  usePageTitle(words.title)
  const [params] = useSearchParams()
  const sessionId = params.get('session')
  return sessionId === null ? <Bringing /> : <ImportedSession key={sessionId} id={sessionId} />
}

function Bringing() {
  const { found, text, takeFiles, takeText, isSending, done } = useBringing()
  const makePictures = useMakePictures()
  const [halfTyped, setHalfTyped] = useHalfTyped()
  useTaker({ hint: null, onFiles: (coming) => void takeFiles(coming), onText: takeText })
  // Files that were dropped on a page without a use for them.
  const begin = useEffectEvent(
    (files: readonly File[]) => void takeFiles(Promise.resolve(filesOfList(files))),
  )
  useEffect(() => begin(takeHandedOver()), [])
  // Content that another application shared. The worker has stored it.
  const shared = useSearchParams()[0].get('shared')
  const beginShared = useEffectEvent(async () => {
    const { files, text } = await readShared()
    if (files.length > 0) begin(files)
    else if (text !== '') takeText(text)
  })
  useEffect(() => {
    if (shared === '') void beginShared()
  }, [shared])
  useEffect(() => {
    if (shared === '' && isSending) void forgetShared()
  }, [shared, isSending])
  const recognised = found === null || found.kind === 'nothing' ? null : found
  const refusal = found?.kind === 'nothing' && halfTyped === null ? found.why : null
  const pasting = useRef<HTMLDivElement>(null)
  // On a phone the message would be behind the navigation.
  useEffect(() => {
    if (refusal !== null) pasting.current?.scrollIntoView({ block: 'nearest' })
  }, [refusal])
  return (
    <div className="mx-auto grid w-full max-w-[72rem] gap-x-14 gap-y-6 lg:grid-cols-[minmax(0,1fr)_25rem]">
      <div className="grid content-start gap-4">
        <div>
          <PageHead title={words.title} back={{ href: '/library', label: words.backToSessions }} />
          <p className="text-sm text-ink-2">{words.introduction}</p>
        </div>
        <DropZone isSmall={recognised !== null} onFiles={(coming) => void takeFiles(coming)} />
        <div>
          <FileButton
            label={words.folderToImport}
            look="bare"
            icon={<FolderOpen size={18} aria-hidden="true" />}
            isFolder
            onFiles={(brought) => void takeFiles(Promise.resolve(brought))}
          >
            {words.chooseFolder}
          </FileButton>
        </div>
        <div ref={pasting} className="grid scroll-mb-20 gap-4">
          <TextArea
            label={words.paste}
            help={words.pasteHelp}
            rows={recognised === null ? 4 : 3}
            value={text}
            readOnly={isSending}
            spellCheck={false}
            dir="ltr"
            autoCapitalize="off"
            placeholder={examplePost}
            onBlur={() => setHalfTyped(null)}
            onChange={(event) => {
              const { value } = event.currentTarget
              // Partly typed input is not an error yet.
              setHalfTyped(isPaste(event.nativeEvent) ? null : value)
              takeText(value)
            }}
          />
          <Failure text={refusal} />
        </div>
        <Failure text={shared === 'full' && found === null ? words.sharedTooMuch : null} />
      </div>
      <div className="grid content-start gap-4 lg:sticky lg:top-24 lg:self-start">
        <output className="sr-only">{recognised?.says}</output>
        {recognised ? (
          <RecognisedPanel
            found={recognised}
            onPictures={(gathered, title) => {
              void makePictures(gathered, title)
              if (shared === '') void forgetShared()
              done()
            }}
          />
        ) : (
          <Ways />
        )}
      </div>
    </div>
  )
}

/** Returns null after a pause in typing: some keyboards paste in a way that looks like typing. */
function useHalfTyped() {
  const [halfTyped, setHalfTyped] = useState<string | null>(null)
  useEffect(() => {
    if (halfTyped === null) return
    const timer = setTimeout(() => setHalfTyped(null), typingPauseMs)
    return () => clearTimeout(timer)
  }, [halfTyped])
  return [halfTyped, setHalfTyped] as const
}

function Ways() {
  return (
    <Panel title={words.waysTitle}>
      <ul className="grid gap-4 text-sm">
        {ways.map(({ Icon, name, means }) => (
          <li key={name} className="grid grid-cols-[auto_1fr] gap-x-3">
            <Icon size={18} strokeWidth={1.75} aria-hidden="true" className="mt-0.5 text-ink-3" />
            <div>
              <p className="font-[560]">{name}</p>
              <p className="text-ink-2">{means}</p>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const { files, archive, post, addresses, listing } = words.ways
const ways = [
  { Icon: FolderOpen, ...files },
  { Icon: FileArchive, ...archive },
  { Icon: Images, ...post },
  { Icon: Link2, ...addresses, means: addresses.means({ max: maxAddresses }) },
  { Icon: Newspaper, ...listing },
]

function isPaste(event: Event): boolean {
  return event instanceof InputEvent && event.inputType.startsWith('insertFrom')
}
