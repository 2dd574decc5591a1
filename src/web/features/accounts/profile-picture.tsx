/** The profile picture: chosen, uploaded through the queue, shown and removed. */
import { useMutation } from '@tanstack/react-query'
import { ImageUp, UserRound } from 'lucide-react'
import { useState } from 'react'
import { client, explain, type SignedInUser } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import type { Brought } from '../../uploads/brought-files.ts'
import { FileButton } from '../../uploads/file-button.tsx'
import { isUnfinished, uploadQueue, useUploads } from '../../uploads/page-uploads.ts'
import { restWords, UploadList } from '../../uploads/upload-list.tsx'
import { useRefreshUser } from './current-user.ts'
import { words } from './words.ts'

const pictures = 'image/jpeg,image/png,image/gif,image/webp'

export function ProfilePicture({ user }: { user: SignedInUser }) {
  const refreshUser = useRefreshUser()
  const [batch, setBatch] = useState<number | null>(null)
  const now = useUploads()
  const uploads = now.uploads.filter((upload) => upload.batch === batch)
  const isSending = uploads.some(isUnfinished)
  const set = useMutation({
    mutationFn: (profileImageUrl: string | null) =>
      client.accounts.updateProfile({ body: { profileImageUrl } }),
    onSuccess: refreshUser,
  })

  function send({ files: [chosen] }: Brought) {
    if (!chosen) return
    const { file } = chosen
    const source = { name: file.name, sizeBytes: file.size, open: async () => file }
    // The newest choice replaces an unfinished upload.
    uploadQueue.remove((upload) => upload.batch === batch)
    setBatch(
      uploadQueue.add([source], {
        purpose: 'profile',
        onStored: ({ fileUrl }) => set.mutate(fileUrl),
        onGivenUp: () => {},
      }),
    )
  }

  return (
    <div className="mb-5 flex flex-wrap items-center gap-4">
      {user.profileImageUrl === null ? (
        <span className="grid size-16 place-items-center rounded-full bg-press text-ink-3">
          <UserRound size={28} strokeWidth={1.5} aria-hidden="true" />
        </span>
      ) : (
        <img
          src={user.profileImageUrl}
          alt={words.profilePicture}
          className="size-16 rounded-full object-cover"
        />
      )}
      <div className="grid min-w-0 grow gap-2">
        <div className="flex flex-wrap gap-2">
          <FileButton
            label={words.pictureForProfile}
            look="line"
            icon={<ImageUp size={18} aria-hidden="true" />}
            accept={pictures}
            isMultiple={false}
            isBusy={isSending || set.isPending}
            onFiles={send}
          >
            {words.choosePicture}
          </FileButton>
          {user.profileImageUrl !== null && (
            <Button look="bare" onClick={() => set.mutate(null)}>
              {words.removePicture}
            </Button>
          )}
        </div>
        <UploadList uploads={uploads} />
        {isSending && <output className="text-xs text-ink-2">{restWords(now)}</output>}
        <Failure text={set.error && explain(set.error)} />
      </div>
    </div>
  )
}
