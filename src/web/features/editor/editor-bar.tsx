/** The bar of the editor: the way back, the title, whether it is saved, and what is done to the whole. */
import { ArrowLeft, Captions, Play, Redo2, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'

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
    <div className="flex min-h-14 flex-wrap items-center gap-x-2 gap-y-1 border-b border-hairline px-1 py-1.5 lg:col-span-3 lg:flex-nowrap lg:pr-4 lg:pl-2.5">
      <Link href={back.href} aria-label={back.label} className="icon-button">
        <ArrowLeft size={18} aria-hidden="true" />
      </Link>
      {title}
      <output className="shrink-0 text-xs text-ink-3 max-lg:px-3">{status}</output>
      <div className="ml-auto flex items-center gap-1 max-lg:pr-2">
        <IconButton
          label="Undo"
          icon={<Undo2 size={18} aria-hidden="true" />}
          aria-disabled={history.undo === null}
          onClick={() => history.undo?.()}
          className={fading}
        />
        <IconButton
          label="Redo"
          icon={<Redo2 size={18} aria-hidden="true" />}
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
    <h1 className="show-voice min-w-0 truncate text-[1.125rem] leading-tight font-[500] max-lg:grow max-lg:basis-2/3">
      {children}
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
      className="max-lg:px-2.5"
    >
      Caption all
    </Button>
  )
}

export function PlayLink({ sessionId }: { sessionId: number }) {
  return (
    <ButtonLink
      href={`/play/${sessionId}`}
      icon={<Play size={18} aria-hidden="true" />}
      className="max-lg:hidden"
    >
      Play
    </ButtonLink>
  )
}

const fading = 'aria-disabled:cursor-default aria-disabled:bg-transparent aria-disabled:opacity-40'
