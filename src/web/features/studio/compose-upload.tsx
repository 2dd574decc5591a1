/** Uploads a picture for one composition. The site keeps it for a day, outside the vault. */
import { useMutation } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { useState } from 'react'
import { explain } from '../../api.ts'
import { ProgressLine } from '../../ui/progress-line.tsx'
import { FileButton } from '../../uploads/file-button.tsx'
import { uploadingClient } from '../../uploading-client.ts'
import type { StudioPicture } from './studio-picture.ts'
import { words } from './words.ts'

export function ComposeUpload({
  which,
  onUploaded,
}: {
  which: 'first' | 'second'
  onUploaded: (picture: StudioPicture) => void
}) {
  const [share, setShare] = useState(0)
  const upload = useMutation({
    mutationFn: async (image: File) => {
      const { images } = uploadingClient(setShare)
      const send = which === 'first' ? images.uploadFirst : images.uploadSecond
      return { url: (await send({ form: { image } })).imageUrl, name: image.name }
    },
    onSuccess: onUploaded,
  })
  return (
    <>
      <FileButton
        label={words.pictureToUpload}
        look="bare"
        icon={<Upload size={16} aria-hidden="true" />}
        accept="image/jpeg,image/png,image/webp"
        isMultiple={false}
        isBusy={upload.isPending}
        onFiles={({ files: [brought] }) => brought && upload.mutate(brought.file)}
      >
        {words.upload}
      </FileButton>
      {upload.isPending && <ProgressLine label={words.uploading} share={share} />}
      <p role="alert" className="text-xs text-danger empty:hidden">
        {upload.error && explain(upload.error)}
      </p>
    </>
  )
}
