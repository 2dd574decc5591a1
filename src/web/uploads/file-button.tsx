/** A button that opens the file picker, by default for pictures and videos. */
import type { ReactNode } from 'react'
import { useRef } from 'react'
import { Button, type ButtonLook } from '../ui/button.tsx'
import { type Brought, filesOfList } from './brought-files.ts'
import { acceptedMedia } from './media-kind.ts'

export function FileButton({
  label,
  look = 'plain',
  icon,
  accept = acceptedMedia,
  isMultiple = true,
  isFolder = false,
  isBusy = false,
  onFiles,
  children,
}: {
  /** The label of the file field for screen readers. */
  label: string
  look?: ButtonLook
  icon: ReactNode
  accept?: string
  isMultiple?: boolean
  /** True to choose a whole folder with its content. */
  isFolder?: boolean
  isBusy?: boolean
  onFiles: (brought: Brought) => void
  children: ReactNode
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button look={look} icon={icon} isBusy={isBusy} onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={(element) => {
          input.current = element
          if (element) element.webkitdirectory = isFolder
        }}
        type="file"
        multiple={isMultiple}
        accept={accept}
        aria-label={label}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          onFiles(filesOfList(event.currentTarget.files ?? []))
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}
