/** Chooses pictures from the vault, or uploads new ones. A single picture is chosen with one click. */
import { Upload } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { FileButton } from '../../uploads/file-button.tsx'
import { useTaker } from '../../uploads/page-intake.ts'
import type { VaultFile } from '../../uploads/page-uploads.ts'
import { UploadProgress } from '../../uploads/upload-progress.tsx'
import { useFileUploads } from '../../uploads/use-file-uploads.ts'
import { useVaultFiles } from '../editor/from-vault.tsx'
import { turnOf } from '../editor/pick-tiles.tsx'
import { words as editorWords } from '../editor/words.ts'
import { pictureOfFile, type StudioPicture } from './studio-picture.ts'
import { words } from './words.ts'
import { VaultTiles } from '../editor/vault-tiles.tsx'

const stills = 'image/jpeg,image/png,image/webp'

export function ChoosePictures({
  room,
  onChoose,
  onClose,
}: {
  /** The maximum number of pictures. */
  room: number
  onChoose: (pictures: readonly StudioPicture[]) => void
  onClose: () => void
}) {
  const [name, setName] = useState('')
  const [picked, setPicked] = useState<readonly VaultFile[]>([])
  const list = useVaultFiles(name)
  const shown = (list.data?.pages.flatMap((page) => page.files) ?? []).filter(isStill)
  const files = [...picked.filter(({ id }) => shown.every((file) => file.id !== id)), ...shown]
  const choose = (chosen: readonly VaultFile[]) => {
    onChoose(chosen.map(pictureOfFile))
    onClose()
  }
  const pick = (file: VaultFile) => {
    if (room === 1) choose([file])
    else if (turnOf(picked, file) !== null) setPicked(picked.filter(({ id }) => id !== file.id))
    else if (picked.length < room) setPicked([...picked, file])
  }
  const sent = useFileUploads({
    room: room - picked.length,
    onStored(stored) {
      const arrived = stored.map(({ file }) => file).filter(isStill)
      const [first] = arrived
      if (room === 1 && first) choose([first])
      else setPicked((picked) => [...picked, ...arrived])
    },
  })
  useTaker({ hint: editorWords.letGoToUpload, onFiles: sent.take })
  return (
    <Dialog
      title={room === 1 ? words.choosePicture : words.choosePictures}
      onClose={onClose}
      width="wide"
    >
      <div className="flex flex-wrap items-center gap-2">
        <SearchField label={editorWords.searchVault} words={name} onSearch={setName} />
        <FileButton
          label={editorWords.filesToUpload}
          icon={<Upload size={18} aria-hidden="true" />}
          accept={stills}
          isMultiple={room > 1}
          onFiles={(brought) => sent.take(Promise.resolve(brought))}
        >
          {words.upload}
        </FileButton>
      </div>
      <UploadProgress {...sent} onDismiss={sent.dismissLeftOut} />
      <VaultTiles list={list} files={files} name={name} picked={picked} onPick={pick} />
      <p className="text-xs text-ink-3">{words.onlyStills}</p>
      <ShowMore list={list} />
      {room > 1 && (
        <DialogActions>
          <p className="me-auto self-center text-xs text-ink-3">
            {words.roomFor({ count: room - picked.length })}
          </p>
          <Button look="lit" disabled={picked.length === 0} onClick={() => choose(picked)}>
            {words.addPictures({ count: Math.max(1, picked.length) })}
          </Button>
        </DialogActions>
      )}
    </Dialog>
  )
}

function isStill({ type }: VaultFile): boolean {
  return type === 'image'
}
