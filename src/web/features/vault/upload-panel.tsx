/** The progress of uploads to the vault, and the files that it already has. */
import { useQueryClient } from '@tanstack/react-query'
import { Button } from '../../ui/button.tsx'
import { UploadProgress } from '../../uploads/upload-progress.tsx'
import type { Upload } from '../../uploads/upload-queue.ts'
import { dismissLeftOut, sendKnown, skipKnown, useVaultUploads } from './vault-uploads.ts'
import { words } from './words.ts'

const maxNamed = 100

/** A stored file is in the list already, so it needs no message. */
function isListed({ state }: Upload): boolean {
  return state !== 'stored'
}

export function UploadPanel() {
  const queryClient = useQueryClient()
  const { known, looking, ...sent } = useVaultUploads()
  const isIdle = known.length + sent.leftOut.length + sent.uploads.filter(isListed).length === 0
  return (
    <div className={isIdle && looking === null ? 'contents' : 'mb-4 grid gap-3'}>
      <UploadProgress {...sent} onDismiss={dismissLeftOut} />
      <output className="text-xs text-ink-2 empty:hidden">
        {looking && words.lookingThrough(looking)}
      </output>
      {known.length > 0 && (
        <section
          aria-label={words.alreadyThere({ count: known.length })}
          className="flex flex-wrap items-start gap-x-3 gap-y-2 rounded-mount bg-mount p-3 shadow-mount"
        >
          <details className="min-w-0 grow" open={known.length <= 3}>
            <summary className="cursor-pointer py-1 font-[560]">
              {words.alreadyThere({ count: known.length })}
            </summary>
            <ul className="mt-1 grid max-h-40 gap-1 overflow-auto text-sm text-ink-2">
              {known.slice(0, maxNamed).map(({ source, sameAs }) => (
                <li key={source.path} className="break-words">
                  {source.name === sameAs
                    ? source.name
                    : words.sameAs({ name: source.name, other: sameAs })}
                </li>
              ))}
            </ul>
          </details>
          <div className="flex gap-2">
            <Button size="small" look="bare" onClick={() => sendKnown(queryClient)}>
              {words.uploadAnyway}
            </Button>
            <Button size="small" onClick={skipKnown}>
              {words.skip}
            </Button>
          </div>
        </section>
      )}
    </div>
  )
}
