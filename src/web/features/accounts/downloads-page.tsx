/** The page with both downloads, the library and the account, and the difference between them. */
import { PageHead } from '../../frame/page-head.tsx'
import { usePageTitle } from '../../page-title.ts'
import { LibraryPanel } from '../imports/library-panel.tsx'
import { ExportPanel } from './export-panel.tsx'
import { words } from './leaving-words.ts'

export function DownloadsPage() {
  usePageTitle(words.downloads)
  return (
    <>
      <PageHead title={words.downloads} back={{ href: '/account', label: words.backToAccount }} />
      <p className="mb-5 max-w-[60ch] text-pretty text-ink-2">{words.downloadsDiffer}</p>
      <div className="grid max-w-[90rem] items-start gap-4 lg:grid-cols-2">
        <div className="grid gap-4">
          <LibraryPanel />
        </div>
        <ExportPanel />
      </div>
    </>
  )
}
