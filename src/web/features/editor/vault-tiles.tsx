/** The files of the vault to pick from, with the states loading, failed and empty. */
import { CannotShow } from '../../ui/failure.tsx'
import type { VaultFile } from '../../uploads/page-uploads.ts'
import type { useVaultFiles } from './from-vault.tsx'
import { slideOfFile } from './new-slide.ts'
import { PickTile, TileGrid, TilesComing, turnOf } from './pick-tiles.tsx'
import { words } from './words.ts'

export function VaultTiles({
  list,
  files,
  name,
  picked,
  onPick,
}: {
  list: ReturnType<typeof useVaultFiles>
  files: readonly VaultFile[]
  /** The search text. */
  name: string
  picked: readonly VaultFile[]
  onPick: (file: VaultFile) => void
}) {
  return (
    <>
      {list.isPending && <TilesComing label={words.loadingVault} />}
      {list.isError && <CannotShow error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && files.length === 0 && (
        <p className="py-6 text-center text-sm text-balance text-ink-2">
          {name === '' ? words.vaultEmpty : words.nothingCalled({ name })}
        </p>
      )}
      {files.length > 0 && (
        <TileGrid label={words.yourFiles}>
          {files.map((file) => (
            <PickTile
              key={file.id}
              picture={slideOfFile(file)}
              name={file.originalName}
              turn={turnOf(picked, file)}
              onSwitch={() => onPick(file)}
            />
          ))}
        </TileGrid>
      )}
    </>
  )
}
