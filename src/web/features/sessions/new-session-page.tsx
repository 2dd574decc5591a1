/** The first step of a new session: files of this device, feeds, or an import. */
import { FileArchive, Rss, Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { PageHead } from '../../frame/page-head.tsx'
import { usePageTitle } from '../../page-title.ts'
import { makingWords } from './making-words.ts'
import { words } from './words.ts'

export function NewSessionPage() {
  usePageTitle(words.newSession)
  return (
    <div className="mx-auto w-full max-w-[72rem]">
      <PageHead
        title={words.newSession}
        back={{ href: '/library', label: makingWords.backToSessions }}
      />
      <nav aria-label={makingWords.begin} className="grid gap-4 sm:grid-cols-3">
        <Choice
          href="/sessions/new/manual"
          icon={<Upload size={28} aria-hidden="true" />}
          name={makingWords.upload}
        >
          {makingWords.uploadMeans}
        </Choice>
        <Choice
          href="/sessions/new/feeds"
          icon={<Rss size={28} aria-hidden="true" />}
          name={makingWords.fromFeeds}
        >
          {makingWords.fromFeedsMeans}
        </Choice>
        <Choice
          href="/import"
          icon={<FileArchive size={28} aria-hidden="true" />}
          name={makingWords.import}
        >
          {makingWords.importMeans}
        </Choice>
      </nav>
    </div>
  )
}

function Choice({
  href,
  icon,
  name,
  children,
}: {
  href: string
  icon: ReactNode
  name: string
  children: string
}) {
  return (
    <Link
      href={href}
      className="grid content-start gap-2 rounded-mount border border-hairline bg-mount p-5 shadow-mount hover:border-ink sm:p-6"
    >
      <span className="text-ink-3">{icon}</span>
      <span className="text-xl font-semibold">{name}</span>
      <span className="text-pretty text-ink-2">{children}</span>
    </Link>
  )
}
