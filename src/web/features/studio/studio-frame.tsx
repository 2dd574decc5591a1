/** The frame of every tool of the studio: links to the other tools, and today's results. */
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'wouter'
import { PageHead } from '../../frame/page-head.tsx'
import { usePageTitle } from '../../page-title.ts'
import { bringInSight } from '../../ui/bring-in-sight.ts'
import { useIsWide } from '../../ui/wide-screen.ts'
import { RecentResults } from './recent-results.tsx'
import { type StudioTool, tools } from './tools.ts'
import { words } from './words.ts'

export function StudioFrame({ tool, children }: { tool: StudioTool; children: ReactNode }) {
  const title = tools.find((each) => each.tool === tool)?.label ?? words.studio
  usePageTitle(title)
  return (
    <>
      <PageHead title={words.studio}>
        <p className="text-sm text-ink-3 max-sm:hidden">{words.staysADay}</p>
      </PageHead>
      <ToolLinks current={tool} />
      <div className="grid gap-4">
        {children}
        <RecentResults />
      </div>
    </>
  )
}

/**
 * The controls beside the result; on a phone the result is first. The order in the document is the same, for
 * the keyboard and screen readers. The React keys let both swap places without remounting.
 */
export function Workbench({ controls, children }: { controls: ReactNode; children: ReactNode }) {
  const isWide = useIsWide()
  const side = (
    <div
      key="side"
      className="grid gap-5 rounded-mount bg-mount p-4 shadow-mount [--ground:var(--color-mount)] sm:p-5"
    >
      {controls}
    </div>
  )
  const work = (
    <div key="work" className="grid min-w-0 gap-4">
      {children}
    </div>
  )
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[22.5rem_minmax(0,1fr)]">
      {isWide ? [side, work] : [work, side]}
    </div>
  )
}

/** The links keep an opened picture for the chosen tool. */
function ToolLinks({ current }: { current: StudioTool }) {
  const [params] = useSearchParams()
  const picture = params.get('picture')
  const query = picture === null ? '' : `?${new URLSearchParams({ picture }).toString()}`
  return (
    <nav aria-label={words.tools} className="scroll-row mb-4">
      <div className="inline-flex gap-0.5 rounded-mount border border-hairline bg-well p-[3px]">
        {tools.map(({ tool, label, icon: Icon }) => (
          <Link
            key={tool}
            href={`/studio/${tool}${query}`}
            ref={tool === current ? bringInSight : undefined}
            aria-current={tool === current ? 'page' : undefined}
            className="inline-flex min-h-9 items-center gap-2 rounded-control px-3 text-sm font-[560] whitespace-nowrap text-ink-2 hover:text-ink aria-[current]:bg-raised aria-[current]:text-ink dark:aria-[current]:bg-press forced-colors:aria-[current]:outline-2"
          >
            <Icon size={17} strokeWidth={1.75} aria-hidden="true" />
            {label}
          </Link>
        ))}
      </div>
    </nav>
  )
}
