/** The editor itself: the strip, the stage and the caption, around whatever is being edited. */
import { Plus } from 'lucide-react'
import { type Dispatch, lazy, type ReactNode, Suspense, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { OwnerAbsent } from '../accounts/owner-absent.tsx'
import { countSlides } from '../sessions/session-data.ts'
import { useCaptionHelp } from './caption-help.ts'
import { CaptionPanel } from './caption-panel.tsx'
import { type Edit, type Editing, selectedSlide } from './editing.ts'
import { EditorBar } from './editor-bar.tsx'
import { useEditorKeys } from './editor-keys.ts'
import { type Pace, SlideStage } from './slide-stage.tsx'
import { SlideStrip } from './slide-strip.tsx'
import { focusSlide } from './strip-slide.tsx'

const AddSlides = lazy(async () => {
  const { AddSlides } = await import('./add-slides.tsx')
  return { default: AddSlides }
})

export function Editor({
  state,
  dispatch,
  title,
  heading,
  back,
  status,
  pace,
  isLocked,
  onSave,
  notice,
  actions,
}: {
  state: Editing
  dispatch: Dispatch<Edit>
  title: string
  heading: ReactNode
  back: { readonly href: string; readonly label: string }
  status: string
  pace: Pace
  /** While something is written for the slides, they stay as they are. */
  isLocked: boolean
  onSave: () => void
  notice: ReactNode
  actions: ReactNode
}) {
  const { slides, past, future } = state
  const [isAdding, setIsAdding] = useState(false)
  const [said, setSaid] = useState('')
  const help = useCaptionHelp(slides, { title, isNew: state.kept === null })
  const slide = selectedSlide(state)
  const index = slides.findIndex(({ key }) => key === slide?.key)

  const undo = () => {
    dispatch({ type: 'undo' })
    setSaid(`Undone: ${past.at(-1)?.deed ?? 'nothing'}`)
  }
  const redo = () => {
    dispatch({ type: 'redo' })
    setSaid(`Done again: ${future[0]?.deed ?? 'nothing'}`)
  }
  const move = (key: string, to: number, { isRepeat } = { isRepeat: false }) => {
    if (isLocked || to < 0 || to >= slides.length) return
    dispatch({ type: 'move', key, to, isRepeat })
    setSaid(`The slide is at place ${to + 1} of ${slides.length}`)
  }
  const remove = (key: string) => {
    if (isLocked) return
    dispatch({ type: 'remove', key })
    setSaid(`The slide is removed, ${countSlides(slides.length - 1)} left`)
  }
  const canUndo = past.length > 0 && !isLocked
  const canRedo = future.length > 0 && !isLocked
  useEditorKeys({
    undo: () => canUndo && undo(),
    redo: () => canRedo && redo(),
    save: onSave,
    move: (step, how) => {
      if (!slide) return
      move(slide.key, index + step, how)
      requestAnimationFrame(() => focusSlide(slide.key))
    },
  })

  return (
    <div className="-mx-page -mt-5 flex grow flex-col sm:-mt-8 lg:-mb-16 lg:grid lg:h-[calc(100dvh-60px)] lg:grid-cols-[9.75rem_minmax(0,1fr)_25rem] lg:grid-rows-[auto_auto_minmax(0,1fr)]">
      <EditorBar
        back={back}
        title={heading}
        status={status}
        history={{ undo: canUndo ? undo : null, redo: canRedo ? redo : null }}
      >
        {actions}
      </EditorBar>
      <div className="px-4 *:my-2 lg:col-span-3 lg:border-hairline">
        <OwnerAbsent />
        {notice}
      </div>
      {slide ? (
        <>
          <SlideStrip
            slides={slides}
            selectedKey={slide.key}
            isLocked={isLocked}
            onSelect={(key) => dispatch({ type: 'select', key })}
            onMove={move}
            onRemove={remove}
            onAdd={() => setIsAdding(true)}
          />
          <SlideStage
            slide={slide}
            place={index + 1}
            total={slides.length}
            pace={pace}
            isLocked={isLocked}
            onDuration={(durationMs) => dispatch({ type: 'duration', key: slide.key, durationMs })}
            onSettle={() => dispatch({ type: 'settle' })}
            onMove={(to) => move(slide.key, to)}
            onRemove={() => remove(slide.key)}
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
        <div className="grid lg:col-span-3">
          <EmptyState
            headline="An empty tray"
            action={
              <Button
                look="lit"
                size="big"
                icon={<Plus size={18} aria-hidden="true" />}
                onClick={() => setIsAdding(true)}
              >
                Add slides
              </Button>
            }
          >
            Put pictures and videos in: from your vault, by their addresses, or out of a feed.
          </EmptyState>
        </div>
      )}
      <output className="sr-only">{said}</output>
      <Suspense>
        {isAdding && (
          <AddSlides
            slides={slides}
            onAdd={(added) => dispatch({ type: 'add', slides: added })}
            onClose={() => setIsAdding(false)}
          />
        )}
      </Suspense>
    </div>
  )
}
