/** The studio: its tools, and today's results. */
import { Link, useSearchParams } from 'wouter'
import { PageHead } from '../../frame/page-head.tsx'
import { usePageTitle } from '../../page-title.ts'
import { usePrice } from '../accounts/prices.ts'
import { RecentResults } from './recent-results.tsx'
import { tools } from './tools.ts'
import { words } from './words.ts'

export function StudioPage() {
  usePageTitle(words.studio)
  const [params] = useSearchParams()
  const query = params.size === 0 ? '' : `?${params.toString()}`
  return (
    <>
      <PageHead title={words.studio}>
        <p className="text-sm text-ink-3 max-sm:hidden">{words.staysADay}</p>
      </PageHead>
      <ul className="mb-6 grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
        {tools.map((tool) => (
          <li key={tool.tool}>
            <ToolCard {...tool} query={query} />
          </li>
        ))}
      </ul>
      <RecentResults />
    </>
  )
}

function ToolCard({
  tool,
  label,
  means,
  icon: Icon,
  featureKey,
  query,
}: (typeof tools)[number] & { query: string }) {
  const price = usePrice(featureKey)
  return (
    <Link
      href={`/studio/${tool}${query}`}
      className="grid h-full content-start gap-2 rounded-mount bg-mount p-5 shadow-mount hover:bg-raised"
    >
      <Icon size={22} strokeWidth={1.6} aria-hidden="true" className="text-lamp-ink" />
      <span className="text-lg font-semibold">{label}</span>
      <span className="text-sm text-ink-2">{means}</span>
      <span className="min-h-4 text-xs text-ink-3">
        {price !== undefined && words.price({ count: price })}
      </span>
    </Link>
  )
}
