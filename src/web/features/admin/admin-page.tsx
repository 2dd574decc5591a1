/** The pages of administration, in one script that only administrators load. */
import type { ComponentType } from 'react'
import { Link, useLocation } from 'wouter'
import { PageHead } from '../../frame/page-head.tsx'
import { NotFoundPage } from '../../not-found-page.tsx'
import { usePageTitle } from '../../page-title.ts'
import { bringInSight } from '../../ui/bring-in-sight.ts'
import { ActivitySection } from './activity-section.tsx'
import { ChargesSection } from './charges-section.tsx'
import { JobsSection } from './jobs-section.tsx'
import { OverviewSection } from './overview-section.tsx'
import { PricingSection } from './pricing-section.tsx'
import { ReportsSection } from './reports-section.tsx'
import { SettingsSection } from './settings-section.tsx'
import { TagsSection } from './tags-section.tsx'
import { UsersSection } from './users-section.tsx'
import { words } from './words.ts'

type Section = {
  readonly path: string
  readonly label: string
  readonly Content: ComponentType
}

const sections: readonly Section[] = [
  { path: '/admin', label: words.sections.overview, Content: OverviewSection },
  { path: '/admin/reports', label: words.sections.reports, Content: ReportsSection },
  { path: '/admin/users', label: words.sections.users, Content: UsersSection },
  { path: '/admin/charges', label: words.sections.charges, Content: ChargesSection },
  { path: '/admin/pricing', label: words.sections.pricing, Content: PricingSection },
  { path: '/admin/tags', label: words.sections.tags, Content: TagsSection },
  { path: '/admin/settings', label: words.sections.settings, Content: SettingsSection },
  { path: '/admin/activity', label: words.sections.activity, Content: ActivitySection },
  { path: '/admin/jobs', label: words.sections.jobs, Content: JobsSection },
]

export function AdminPage() {
  const [path] = useLocation()
  const section = sections.find((one) => one.path === path.replace(/\/$/, ''))
  return section ? <SectionPage section={section} /> : <NotFoundPage />
}

function SectionPage({ section }: { section: Section }) {
  const { label, path, Content } = section
  usePageTitle(label)
  return (
    <>
      <PageHead title={label} />
      <nav
        aria-label={words.administration}
        className="scroll-row mb-5 flex gap-0.5 sm:-ms-2.5 sm:flex-wrap"
      >
        {sections.map((one) => (
          <Link
            key={one.path}
            href={one.path}
            ref={one.path === path ? bringInSight : undefined}
            aria-current={one.path === path ? 'page' : undefined}
            className="flex min-h-11 shrink-0 items-center rounded-control px-2.5 text-sm font-[500] whitespace-nowrap text-ink-2 hover:text-ink aria-[current]:bg-press aria-[current]:text-ink sm:min-h-9 forced-colors:aria-[current]:outline-2"
          >
            {one.label}
          </Link>
        ))}
      </nav>
      <Content />
    </>
  )
}
