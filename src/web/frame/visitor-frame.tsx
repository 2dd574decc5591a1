/** The frame of pages for visitors: only the name of the site. */
import type { ReactNode } from 'react'
import { Brand } from './brand.tsx'
import { MainContent, SkipLink } from './main-content.tsx'

export function VisitorFrame({ children }: { children: ReactNode }) {
  return (
    <div className="relative isolate mx-auto flex min-h-dvh max-w-[110rem] flex-col px-gutter">
      <SkipLink />
      <header className="flex h-16 shrink-0 items-center sm:h-[4.75rem]">
        <Brand href="/" />
      </header>
      <MainContent className="flex grow flex-col pb-12">{children}</MainContent>
    </div>
  )
}
