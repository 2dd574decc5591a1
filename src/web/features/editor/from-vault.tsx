/** Slides from one's own files, and the way to bring new files along. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Upload as UploadIcon } from 'lucide-react'
import { useRef, useState } from 'react'
import { client } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { CannotShow } from '../../ui/failure.tsx'
import { ProgressLine } from '../../ui/progress-line.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import type { AddProps } from './add-slides.tsx'
import { slideOfFile, type VaultFile } from './new-slide.ts'
import { AddFoot, PickTile, TileGrid, TilesComing, turnOf } from './pick-tiles.tsx'
import { type Upload, useUploads } from './upload.ts'

const pageSize = '40'

export function FromVault({ onAdd, room }: AddProps) {
  const [words, setWords] = useState('')
  const [picked, setPicked] = useState<readonly VaultFile[]>([])
  const list = useVaultFiles(words)
  const shown = list.data?.pages.flatMap((page) => page.files) ?? []
  // What was picked before another search stays in sight.
  const files = [...picked.filter(({ id }) => shown.every((file) => file.id !== id)), ...shown]
  const { uploads, send } = useUploads((file) => setPicked((picked) => [...picked, file]))
  const pick = (file: VaultFile) =>
    setPicked((picked) =>
      turnOf(picked, file) === null ? [...picked, file] : picked.filter(({ id }) => id !== file.id),
    )
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <SearchField label="Search your vault" words={words} onSearch={setWords} />
        <UploadButton onFiles={(files) => void send(files)} />
      </div>
      <Uploads uploads={uploads} />
      {list.isPending && <TilesComing label="Loading your vault" />}
      {list.isError && <CannotShow error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && files.length === 0 && (
        <p className="py-6 text-center text-sm text-balance text-ink-2">
          {words === ''
            ? 'Your vault is empty. Upload a picture or a video, and it waits here for other sessions too.'
            : `Nothing in your vault is called “${words}”.`}
        </p>
      )}
      {files.length > 0 && (
        <TileGrid label="Your files">
          {files.map((file) => (
            <PickTile
              key={file.id}
              picture={slideOfFile(file)}
              name={file.originalName}
              turn={turnOf(picked, file)}
              onSwitch={() => pick(file)}
            />
          ))}
        </TileGrid>
      )}
      {list.hasNextPage && (
        <Button
          look="bare"
          isBusy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Show more
        </Button>
      )}
      <AddFoot count={picked.length} room={room} onAdd={() => onAdd(picked.map(slideOfFile))} />
    </>
  )
}

function useVaultFiles(words: string) {
  return useInfiniteQuery({
    queryKey: ['vault', 'files-to-add', words],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      client.vault.list({
        query: {
          limit: pageSize,
          ...(words === '' ? {} : { search: words }),
          ...(pageParam === '' ? {} : { cursor: pageParam }),
        },
      }),
    getNextPageParam: (page) => page.nextCursor,
  })
}

function UploadButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        icon={<UploadIcon size={18} aria-hidden="true" />}
        onClick={() => input.current?.click()}
      >
        Upload
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        accept="image/*,video/*"
        aria-label="Files to upload"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}

function Uploads({ uploads }: { uploads: readonly Upload[] }) {
  const shown = uploads.filter(({ share, failure }) => share < 1 || failure !== null)
  if (shown.length === 0) return null
  return (
    <ul aria-label="Uploads" className="grid gap-2 text-sm">
      {shown.map(({ id, name, share, failure }) => (
        <li key={id} className="grid gap-1">
          <span className="truncate">{name}</span>
          {failure === null ? (
            <ProgressLine label={`Uploading ${name}`} share={share} />
          ) : (
            <span role="alert" className="text-xs text-danger">
              {failure}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
