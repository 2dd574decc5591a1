/** Turns files and addresses that are dropped or pasted into slides at the end. */
import type { Dispatch } from 'react'
import { useTaker } from '../../uploads/page-intake.ts'
import { useFileUploads } from '../../uploads/use-file-uploads.ts'
import { isUnfinished } from '../../uploads/page-uploads.ts'
import { showToast } from '../../ui/toasts.tsx'
import type { Edit } from './editing.ts'
import { readAddresses, slideOfAddress, slideOfFile } from './new-slide.ts'
import { type EditedSlide, maxSlides } from './slides.ts'
import { words } from './words.ts'

export type EditorFiles = ReturnType<typeof useEditorFiles>

export function useEditorFiles({
  slides,
  dispatch,
  isLocked,
  onTitle,
}: {
  slides: readonly EditedSlide[]
  dispatch: Dispatch<Edit>
  isLocked: boolean
  /** Receives the title that the files suggest. */
  onTitle: (title: string) => void
}) {
  const room = maxSlides - slides.length
  const files = useFileUploads({
    room,
    onStored: (stored, batch) =>
      dispatch({
        type: 'add',
        slides: stored.map(({ file, takenAtMs }) => slideOfFile(file, takenAtMs)),
        thread: `upload-${batch}`,
      }),
    onGathered: ({ suggestedTitle }) => onTitle(suggestedTitle),
  })
  useTaker({
    hint: words.letGoToAdd,
    onFiles: (coming) => {
      if (!isLocked) files.take(coming)
    },
    onText(text) {
      const { addresses } = readAddresses(text)
      if (isLocked) return
      if (addresses.length === 0) showToast({ text: words.nothingInIt, isFailure: true })
      else dispatch({ type: 'add', slides: addresses.slice(0, room).map(slideOfAddress) })
    },
  })
  return { ...files, isUploading: files.uploads.some(isUnfinished) }
}
