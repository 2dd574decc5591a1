/** The editor: the strip, the stage and the caption. Used for new and existing sessions. */
import { ArrowDownAZ, CalendarArrowDown, ListChecks, Plus, Upload } from 'lucide-react'
import { type Dispatch, type ReactNode, useState } from 'react'
import { lazyPart } from '../../parts.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Menu } from '../../ui/menu.tsx'
import { DialogPart } from '../../ui/dialog-part.tsx'
import { FileButton } from '../../uploads/file-button.tsx'
import { UploadProgress } from '../../uploads/upload-progress.tsx'
import { OwnerAbsent } from '../accounts/owner-absent.tsx'
import { useCaptionHelp } from './caption-help.ts'
import { CaptionPanel } from './caption-panel.tsx'
import type { Editing } from './edit-history.ts'
import { type Edit, selectedSlide } from './editing.ts'
import { EditorBar } from './editor-bar.tsx'
import { useEditorActions } from './editor-actions.ts'
import type { EditorFiles } from './editor-files.ts'
import { useEditorKeys } from './editor-keys.ts'
import { useMarking } from './marking.ts'
import { SelectionBar } from './selection-bar.tsx'
import { type Cover, type Pace, SlideStage } from './slide-stage.tsx'
import { SlideStrip } from './slide-strip.tsx'
import { focusSlide } from './strip-slide.tsx'
import { words } from './words.ts'

const AddSlides = lazyPart(async () => (await import('./add-slides.tsx')).AddSlides)

export function Editor({
  state,
  dispatch,
  files,
  title,
  heading,
  back,
  status,
  pace,
  cover,
  ownsFiles = false,
  isLocked,
  onSave,
  notice,
  actions,
}: {
  state: Editing
  dispatch: Dispatch<Edit>
  files: EditorFiles
  title: string
  heading: ReactNode
  back: { readonly href: string; readonly label: string }
  status: string
  pace: Pace
  cover: Cover
  /** True when files are stored with the session, as after an import. */
  ownsFiles?: boolean
  /** True while captions are being written: the slides cannot be changed. */
  isLocked: boolean
  onSave: () => void
  notice: ReactNode
  actions: ReactNode
}) {
  const { slides } = state
  const [isAdding, setIsAdding] = useState(false)
  const help = useCaptionHelp(slides, { title, isNew: state.kept === null })
  const marking = useMarking(slides)
  const editorActions = useEditorActions({ state, dispatch, marking, isLocked, ownsFiles })
  const slide = selectedSlide(state)
  const index = slides.findIndex(({ key }) => key === slide?.key)
  useEditorKeys({
    undo: () => editorActions.undo?.(),
    redo: () => editorActions.redo?.(),
    save: onSave,
    move: (step, how) => {
      if (!slide) return
      editorActions.move(slide.key, index + step, how)
      requestAnimationFrame(() => focusSlide(slide.key))
    },
  })

  return (
    <div className="-mx-page -mt-5 flex grow flex-col sm:-mt-8 lg:-mb-16 lg:grid lg:h-[calc(100dvh-60px)] lg:grid-cols-[9.75rem_minmax(0,1fr)_25rem] lg:grid-rows-[auto_auto_minmax(0,1fr)]">
      <EditorBar back={back} title={heading} status={status} history={editorActions}>
        {slide && (
          <Menu
            label={words.arrange}
            trigger={<ListChecks size={18} aria-hidden="true" />}
            entries={[
              {
                kind: 'action',
                label: words.selectSlides,
                icon: <ListChecks size={18} aria-hidden="true" />,
                onSelect: marking.begin,
              },
              {
                kind: 'action',
                label: words.sortByDate,
                icon: <CalendarArrowDown size={18} aria-hidden="true" />,
                onSelect: () => editorActions.sort('date'),
              },
              {
                kind: 'action',
                label: words.sortByName,
                icon: <ArrowDownAZ size={18} aria-hidden="true" />,
                onSelect: () => editorActions.sort('name'),
              },
            ]}
          />
        )}
        {actions}
      </EditorBar>
      <div className="px-4 *:my-2 lg:col-span-3 lg:border-hairline">
        <OwnerAbsent />
        {notice}
        <UploadProgress {...files} onDismiss={files.dismissLeftOut} />
        {marking.isChoosing && (
          <SelectionBar
            marking={marking}
            isLocked={isLocked}
            onDuplicate={() => editorActions.duplicate(marking.keys)}
            onMove={editorActions.moveMarked}
            onRemove={() => editorActions.remove(marking.keys)}
          />
        )}
      </div>
      {slide ? (
        <>
          <SlideStrip
            slides={slides}
            selectedKey={slide.key}
            marked={marking.keys}
            coverKey={cover.key}
            isLocked={isLocked}
            actions={editorActions.strip}
            onMove={editorActions.move}
            onAdd={() => setIsAdding(true)}
          />
          <SlideStage
            slide={slide}
            position={index + 1}
            total={slides.length}
            pace={pace}
            cover={cover}
            isLocked={isLocked}
            onDuration={(durationMs) => dispatch({ type: 'duration', key: slide.key, durationMs })}
            onSettle={() => dispatch({ type: 'settle' })}
            onMove={(to) => editorActions.move(slide.key, to)}
            onDuplicate={() => editorActions.duplicate(new Set([slide.key]))}
            onRemove={() => editorActions.remove(new Set([slide.key]))}
          />
          <CaptionPanel
            slides={slides}
            slide={slide}
            help={help}
            isLocked={isLocked}
            onCaption={(caption) => dispatch({ type: 'caption', key: slide.key, caption })}
            onSettle={() => dispatch({ type: 'settle' })}
          />
        </>
      ) : (
        <EmptyTray files={files} onAdd={() => setIsAdding(true)} />
      )}
      <output className="sr-only">{editorActions.said}</output>
      <DialogPart>
        {isAdding && (
          <AddSlides
            slides={slides}
            onAdd={(added) => dispatch({ type: 'add', slides: added })}
            onClose={() => setIsAdding(false)}
          />
        )}
      </DialogPart>
    </div>
  )
}

function EmptyTray({ files, onAdd }: { files: EditorFiles; onAdd: () => void }) {
  return (
    <div className="grid lg:col-span-3">
      <EmptyState
        headline={words.emptyTray}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <FileButton
              label={words.filesForSlides}
              look="lit"
              icon={<Upload size={18} aria-hidden="true" />}
              onFiles={(brought) => files.take(Promise.resolve(brought))}
            >
              {words.upload}
            </FileButton>
            <Button icon={<Plus size={18} aria-hidden="true" />} onClick={onAdd}>
              {words.addSlides}
            </Button>
          </div>
        }
      >
        {words.emptyTrayReason}
      </EmptyState>
    </div>
  )
}
