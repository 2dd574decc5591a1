/** The bar of the editor: back link, title, save state, and the actions for the whole session. */
import { ArrowLeft, Captions, Check, Play, Redo2, Settings2, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'
import { words } from './words.ts'

export function EditorBar({
  back,
  title,
  status,
  history,
  children,
}: {
  back: { readonly href: string; readonly label: string }
  title: ReactNode
  status: string
  history: {
    readonly undo: (() => void) | null
    readonly redo: (() => void) | null
  }
  children: ReactNode
}) {
  return (
    <div className="flex min-h-14 flex-wrap items-center gap-x-2 gap-y-1 border-b border-hairline px-1 py-1.5 lg:col-span-3 lg:pe-4 lg:ps-2.5">
      <Link href={back.href} aria-label={back.label} className="icon-button">
        <ArrowLeft size={18} aria-hidden="true" className="rtl:-scale-x-100" />
      </Link>
      {title}
      <output className="min-w-22 shrink-0 text-xs text-ink-3 max-lg:px-3 max-lg:text-end">
        {status}
      </output>
      <div className="ms-auto flex flex-wrap items-center justify-end gap-1 max-sm:w-full max-sm:gap-0 max-lg:pe-2">
        <IconButton
          label={words.undo}
          icon={<Undo2 size={18} aria-hidden="true" className="rtl:-scale-x-100" />}
          aria-disabled={history.undo === null}
          onClick={() => history.undo?.()}
          className={fading}
        />
        <IconButton
          label={words.redo}
          icon={<Redo2 size={18} aria-hidden="true" className="rtl:-scale-x-100" />}
          aria-disabled={history.redo === null}
          onClick={() => history.redo?.()}
          className={fading}
        />
        {children}
      </div>
    </div>
  )
}

export function TitleText({ children }: { children: string }) {
  return (
    <h1 className="show-voice min-w-32 grow basis-0 truncate text-[1.125rem] leading-tight font-[500]">
      <bdi>{children}</bdi>
    </h1>
  )
}

export function CaptionAllButton({ isBusy, onPress }: { isBusy: boolean; onPress: () => void }) {
  return (
    <Button
      look="bare"
      icon={<Captions size={18} aria-hidden="true" />}
      isBusy={isBusy}
      onClick={onPress}
      className="max-lg:px-2"
    >
      <span className="max-sm:sr-only">{words.captionAll}</span>
    </Button>
  )
}

export function PlayLink({ sessionId }: { sessionId: number }) {
  return (
    <ButtonLink
      href={`/play/${sessionId}`}
      icon={<Play size={18} aria-hidden="true" />}
      className="max-sm:px-3"
    >
      <span className="max-sm:sr-only">{words.play}</span>
    </ButtonLink>
  )
}

/** The save button. Without changes it says "Saved", but stays enabled to keep the focus. */
export function SaveButton({
  isUnsaved,
  isLocked,
  isSaving,
  onSave,
}: {
  isUnsaved: boolean
  isLocked: boolean
  isSaving: boolean
  onSave: () => void
}) {
  const canSave = isUnsaved && !isLocked
  const isToSave = isUnsaved || isSaving
  return (
    <Button
      look={isUnsaved ? 'lit' : 'plain'}
      isBusy={isSaving}
      aria-disabled={isSaving || !canSave}
      onClick={() => canSave && onSave()}
      className={canSave || isSaving ? '' : resting}
    >
      {/* Both labels share one grid cell, so that the width of the bar does not change. */}
      <span className="grid place-items-center *:[grid-area:1/1]">
        <span className={isToSave ? '' : 'invisible'}>{words.save}</span>
        <span className={`flex items-center gap-2 ${isToSave ? 'invisible' : ''}`}>
          <Check size={18} aria-hidden="true" className="-ms-0.5" />
          <span className="max-sm:sr-only">{words.saved}</span>
        </span>
      </span>
    </Button>
  )
}

export function SettingsButton({ onPress }: { onPress: () => void }) {
  return (
    <Button
      look="bare"
      icon={<Settings2 size={18} aria-hidden="true" />}
      onClick={onPress}
      className="max-lg:px-2"
    >
      <span className="max-sm:sr-only">{words.settings}</span>
    </Button>
  )
}

const resting = '!cursor-default bg-transparent text-ink-2 after:hidden hover:bg-transparent'

const fading = 'aria-disabled:cursor-default aria-disabled:bg-transparent aria-disabled:opacity-40'
