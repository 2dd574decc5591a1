/** Adds slides from the vault, and uploads new files to it. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Upload as UploadIcon } from 'lucide-react'
import { useState } from 'react'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { words as uiWords } from '../../ui/words.ts'
import type { AddProps } from './add-slides.tsx'
import { FileButton } from '../../uploads/file-button.tsx'
import { useTaker } from '../../uploads/page-intake.ts'
import type { VaultFile } from '../../uploads/page-uploads.ts'
import { UploadProgress } from '../../uploads/upload-progress.tsx'
import { useFileUploads } from '../../uploads/use-file-uploads.ts'
import { slideOfFile } from './new-slide.ts'
import { AddFoot, turnOf } from './pick-tiles.tsx'
import { words } from './words.ts'
import { VaultTiles } from './vault-tiles.tsx'

const pageSize = '40'

export function FromVault({ onAdd, room }: AddProps) {
  const [name, setName] = useState('')
  const [picked, setPicked] = useState<readonly VaultFile[]>([])
  const list = useVaultFiles(name)
  const shown = list.data?.pages.flatMap((page) => page.files) ?? []
  // Files that were picked before another search stay visible.
  const files = [...picked.filter(({ id }) => shown.every((file) => file.id !== id)), ...shown]
  const [takenAt] = useState(() => new Map<number, number>())
  const sent = useFileUploads({
    room: room - picked.length,
    onStored(stored) {
      for (const { file, takenAtMs } of stored) takenAt.set(file.id, takenAtMs)
      setPicked((picked) => [...picked, ...stored.map(({ file }) => file)])
    },
  })
  useTaker({ hint: words.letGoToUpload, onFiles: sent.take })
  const pick = (file: VaultFile) =>
    setPicked((picked) =>
      turnOf(picked, file) === null ? [...picked, file] : picked.filter(({ id }) => id !== file.id),
    )
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <SearchField label={words.searchVault} words={name} onSearch={setName} />
        <FileButton
          label={words.filesToUpload}
          icon={<UploadIcon size={18} aria-hidden="true" />}
          onFiles={(brought) => sent.take(Promise.resolve(brought))}
        >
          {words.upload}
        </FileButton>
      </div>
      <UploadProgress {...sent} onDismiss={sent.dismissLeftOut} />
      <VaultTiles list={list} files={files} name={name} picked={picked} onPick={pick} />
      {list.hasNextPage && (
        <Button
          look="bare"
          isBusy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {uiWords.showMore}
        </Button>
      )}
      <AddFoot
        count={picked.length}
        room={room}
        onAdd={() => onAdd(picked.map((file) => slideOfFile(file, takenAt.get(file.id))))}
      />
    </>
  )
}

export function useVaultFiles(name: string) {
  return useInfiniteQuery({
    queryKey: keys.vault.filesToAddNamed(name),
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      client.vault.list({
        query: {
          limit: pageSize,
          ...(name === '' ? {} : { search: name }),
          ...(pageParam === '' ? {} : { cursor: pageParam }),
        },
      }),
    getNextPageParam: (page) => page.nextCursor,
  })
}
