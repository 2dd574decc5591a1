/** The head of a page: its title, content beside it, and the actions at the right. */
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'

export function PageHead({
  title,
  beside,
  back,
  isShow = false,
  children,
}: {
  title: string
  beside?: ReactNode
  back?: { readonly href: string; readonly label: string }
  /** True for the title of a session, which has the typeface of the show. */
  isShow?: boolean
  children?: ReactNode
}) {
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-3 sm:mb-5">
      {back && (
        <Link href={back.href} aria-label={back.label} className="icon-button -ms-2.5">
          <ArrowLeft size={18} aria-hidden="true" className="rtl:-scale-x-100" />
        </Link>
      )}
      <h1
        className={`min-w-0 text-[1.5rem] leading-tight break-words sm:text-2xl ${
          isShow ? 'show-voice font-[500]' : 'font-semibold tracking-[-0.015em]'
        }`}
      >
        {title}
      </h1>
      {beside}
      <div className="ms-auto flex flex-wrap items-center gap-2 empty:hidden">{children}</div>
    </div>
  )
}
