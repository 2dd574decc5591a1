/** The vault: the user's own files, to search, select, upload and delete. */
import { useQueryClient } from '@tanstack/react-query'
import { CheckSquare, FolderUp, Upload } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { PageHead } from '../../frame/page-head.tsx'
import { usePageTitle } from '../../page-title.ts'
import { lazyPart } from '../../parts.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { CannotShow, EarlierResults, Failure } from '../../ui/failure.tsx'
import { explain } from '../../api.ts'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { DialogPart } from '../../ui/dialog-part.tsx'
import type { Brought } from '../../uploads/brought-files.ts'
import { FileButton } from '../../uploads/file-button.tsx'
import { useTaker } from '../../uploads/page-intake.ts'
import { useMarking } from '../editor/marking.ts'
import { trashWithUndo } from './deletions.ts'
import { FileSelection } from './file-selection.tsx'
import { StorageBar } from './storage-bar.tsx'
import { UploadPanel } from './upload-panel.tsx'
import { VaultFilters } from './vault-filters.tsx'
import { VaultGrid } from './vault-grid.tsx'
import { everything, useVaultFilter, useVaultList } from './vault-list.ts'
import { takeIntoVault } from './vault-uploads.ts'
import { words } from './words.ts'

const MakeSession = lazyPart(async () => (await import('./make-session.tsx')).MakeSession)

const ShareFile = lazyPart(async () => (await import('./share-file.tsx')).ShareFile)

export function VaultPage() {
  usePageTitle(words.vault)
  const queryClient = useQueryClient()
  const { filter, change, isFiltered } = useVaultFilter()
  const { list, files, counts, total } = useVaultList(filter)
  const marking = useMarking(useMemo(() => files.map(({ id }) => ({ key: String(id) })), [files]))
  const [asked, setAsked] = useState<'make' | 'share' | null>(null)
  const chosen = [...marking.keys].map(Number)
  const take = (coming: Promise<Brought>) => void takeIntoVault(queryClient, coming)
  useTaker({ hint: words.letGo, onFiles: take })
  const { fetchNextPage, isFetchingNextPage, isFetchNextPageError } = list
  const more = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage()
  }, [fetchNextPage, isFetchingNextPage])

  function remove(ids: readonly number[]) {
    marking.clear()
    void trashWithUndo(queryClient, ids)
  }

  const isBare = list.isSuccess && files.length === 0 && !isFiltered
  return (
    <>
      <PageHead
        title={words.vault}
        beside={
          list.isSuccess &&
          !isBare && (
            <p className="text-sm text-ink-2 max-sm:hidden">{words.onlyYou({ count: total })}</p>
          )
        }
      >
        {files.length > 0 && (
          <Button
            look="bare"
            icon={<CheckSquare size={18} aria-hidden="true" />}
            onClick={marking.begin}
          >
            {words.select}
          </Button>
        )}
        <UploadButtons onFiles={take} />
      </PageHead>
      {!isBare && <VaultFilters filter={filter} counts={counts} onChange={change} />}
      <UploadPanel />
      {marking.isChoosing && (
        <FileSelection
          marking={marking}
          files={files}
          onMake={() => setAsked('make')}
          onShare={() => setAsked('share')}
          onDelete={() => remove(chosen)}
        />
      )}
      <EarlierResults list={list} />
      {list.isPending && <GridSkeleton />}
      {list.isError && files.length === 0 && (
        <CannotShow error={list.error} onRetry={() => void list.refetch()} />
      )}
      {isBare && <EmptyState headline={words.nothingYet}>{words.howToBegin}</EmptyState>}
      {list.isSuccess && files.length === 0 && isFiltered && (
        <EmptyState
          headline={words.noneLikeThat}
          action={<Button onClick={() => change(everything)}>{words.showAll}</Button>}
        >
          {words.noneFits}
        </EmptyState>
      )}
      {files.length > 0 && (
        <VaultGrid
          files={files}
          marking={marking}
          hasMore={list.hasNextPage && !isFetchingNextPage && !isFetchNextPageError}
          onMore={more}
          onDelete={remove}
        />
      )}
      {isFetchNextPageError && (
        <div className="mt-4 grid justify-items-center gap-3">
          <Failure text={explain(list.error)} />
          <Button onClick={more}>{words.tryAgain}</Button>
        </div>
      )}
      <div className="mt-8">
        <StorageBar />
      </div>
      <DialogPart>
        {asked === 'make' && <MakeSession ids={chosen} onClose={() => setAsked(null)} />}
        {asked === 'share' && chosen[0] !== undefined && (
          <ShareFile id={chosen[0]} onClose={() => setAsked(null)} />
        )}
      </DialogPart>
    </>
  )
}

function UploadButtons({ onFiles }: { onFiles: (coming: Promise<Brought>) => void }) {
  return (
    <>
      {/* Phones cannot choose a folder. */}
      <span className="max-sm:hidden">
        <FileButton
          label={words.folderToUpload}
          look="bare"
          icon={<FolderUp size={18} aria-hidden="true" />}
          isFolder
          onFiles={(brought) => onFiles(Promise.resolve(brought))}
        >
          {words.folder}
        </FileButton>
      </span>
      <FileButton
        label={words.filesToUpload}
        look="lit"
        icon={<Upload size={18} aria-hidden="true" />}
        onFiles={(brought) => onFiles(Promise.resolve(brought))}
      >
        {words.upload}
      </FileButton>
    </>
  )
}

function GridSkeleton() {
  return (
    <Waiting label={words.loading}>
      <div className="grid grid-cols-3 gap-1.5 pt-8 sm:grid-cols-4 lg:grid-cols-5">
        {Array.from({ length: 15 }, (_, index) => (
          <Skeleton key={index} className="late aspect-3/2" />
        ))}
      </div>
    </Waiting>
  )
}
