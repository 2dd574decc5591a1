/** Downloads the whole library as one file, and restores such a file with its progress. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, Upload } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { client, explain, libraryExportAddress, translated } from '../../api.ts'
import { download } from '../../download.ts'
import { keys } from '../../query-keys.ts'
import { words as requestWords } from '../../requests/words.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ProgressLine } from '../../ui/progress-line.tsx'
import { uploadingClient } from '../../uploading-client.ts'
import { formatSize } from '../../words/figures.ts'
import { SkippedReport } from '../sessions/skipped-report.tsx'
import { pollAfterMs } from './polling-interval.ts'
import { words } from './words.ts'

type LibraryImport = Awaited<ReturnType<typeof client.archives.readLibraryImport>>

export function LibraryPanel() {
  const { restore, sent, restored } = useRestore()
  const taken = useMutation({ mutationFn: () => download(libraryExportAddress) })
  const isRunning = restored.data?.status === 'running'
  const failure = taken.error ?? restore.error ?? restored.error
  return (
    <>
      <Panel title={words.library}>
        <p className="text-sm text-ink-2">{words.libraryHelp}</p>
        <div className="mt-4 grid gap-4">
          <div className="flex flex-wrap gap-2">
            <Button
              icon={<Download size={18} aria-hidden="true" />}
              isBusy={taken.isPending}
              onClick={() => taken.mutate()}
            >
              {words.download}
            </Button>
            <FileButton
              isBusy={restore.isPending || isRunning}
              onFile={(file) => restore.mutate(file)}
            />
          </div>
          <Failure text={failure && explain(failure)} />
          {restored.isError && (
            <Button className="justify-self-start" onClick={() => void restored.refetch()}>
              {words.lookAgain}
            </Button>
          )}
          {restore.isPending && (
            <Line label={words.uploadingLibrary} share={sent.share}>
              {sent.share < 1
                ? words.partSent({
                    sent: formatSize(Math.round(sent.bytes * sent.share)),
                    size: formatSize(sent.bytes),
                  })
                : words.libraryLookedAt}
            </Line>
          )}
          {restored.data && <Restored library={restored.data} />}
        </div>
      </Panel>
      <SkippedReport skipped={restored.data?.skipped ?? []} />
    </>
  )
}

/** Restores a library. The import continues without this page; its address shows the progress again. */
function useRestore() {
  const queryClient = useQueryClient()
  const [params, setParams] = useSearchParams()
  const [sent, setSent] = useState({ share: 0, bytes: 0 })
  const id = params.get('restore')
  const restore = useMutation({
    mutationFn: (file: File) => {
      setSent({ share: 0, bytes: file.size })
      const { archives } = uploadingClient((share) => setSent((sent) => ({ ...sent, share })))
      return archives.importLibrary({ form: { file } })
    },
    onSuccess: ({ importId }) => setParams({ restore: importId }, { replace: true }),
  })
  const restored = useQuery({
    queryKey: keys.libraryImport(id),
    enabled: id !== null,
    queryFn: () => client.archives.readLibraryImport({ params: { id: id ?? '' } }),
    // Stops polling after a failure, until the user retries.
    refetchInterval: ({ state: { status, data, dataUpdateCount } }) =>
      status === 'success' && data?.status === 'running' ? pollAfterMs(dataUpdateCount) : false,
    refetchIntervalInBackground: false,
  })
  const status = restored.data?.status
  useEffect(() => {
    if (status !== 'done') return
    void queryClient.invalidateQueries({ queryKey: keys.sessions.all })
    void queryClient.invalidateQueries({ queryKey: keys.vault.all })
  }, [status, queryClient])
  return { restore, sent, restored }
}

function Restored({ library }: { library: LibraryImport }) {
  const { status, done, total, sessions, vaultFiles, error } = library
  if (status === 'running')
    return (
      <Line label={words.restoringLibrary} share={total === 0 ? 0 : done / total}>
        {words.restoring({ done, total })}
      </Line>
    )
  if (status === 'failed') return <Failure text={explainFailed(error)} />
  return (
    <output className="text-sm text-ink-2">
      {words.restored({
        sessions: words.sessions({ count: sessions }),
        files: words.files({ count: vaultFiles }),
      })}
    </output>
  )
}

function explainFailed(error: string | null): string {
  return error === null
    ? requestWords.tryAgainSoon({ failure: words.notRestored })
    : `${words.notRestored} ${translated(error)}`
}

function Line({ label, share, children }: { label: string; share: number; children: ReactNode }) {
  return (
    <div className="grid gap-2">
      <ProgressLine label={label} share={share} />
      <p className="text-sm text-ink-2">{children}</p>
    </div>
  )
}

function FileButton({ isBusy, onFile }: { isBusy: boolean; onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        look="line"
        icon={<Upload size={18} aria-hidden="true" />}
        isBusy={isBusy}
        onClick={() => input.current?.click()}
      >
        {words.restoreFromZip}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".zip,application/zip"
        aria-label={words.libraryToRestore}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          if (file) onFile(file)
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}
