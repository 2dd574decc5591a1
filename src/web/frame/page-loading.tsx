/**
 * The content of a frame while the script of a page loads. It is empty at first, so that a fast connection
 * shows no flash. Then it shows boxes, a title in the tab, and an announcement for screen readers.
 */
import { FirstFrame, hasFirstFrame } from '../first-frame.tsx'
import { usePageTitle } from '../page-title.ts'
import { LoadingHeading, Skeleton } from '../ui/skeleton.tsx'
import { useIsLate } from '../ui/use-is-late.ts'
import { words } from './loading-words.ts'

export function PageLoading() {
  const isLate = useIsLate()
  if (hasFirstFrame('link')) return <FirstFrame name="link" />
  return (
    <div>
      <Announcement isLate={isLate} />
      {isLate && <LoadingHeading>{words.loadingPage}</LoadingHeading>}
      {isLate && <Boxes />}
    </div>
  )
}

/** The same for a show, which has the whole screen. */
export function DarkRoom() {
  const isLate = useIsLate()
  const isSeen = hasFirstFrame('show')
  return (
    <main
      data-theme="dark"
      className={`grid min-h-dvh place-items-center px-5 text-ink-3 ${isSeen ? 'bg-picture-dark' : 'bg-room'}`}
    >
      {isSeen && <FirstFrame name="show" />}
      <Announcement isLate={isLate} />
      {isLate && <LoadingHeading>{words.loadingPage}</LoadingHeading>}
      {isLate && !isSeen && <Skeleton className="aspect-3/2 w-full max-w-[40rem]" />}
    </main>
  )
}

/** The region is in the page before its text, so that screen readers announce the text. */
function Announcement({ isLate }: { isLate: boolean }) {
  return <output className="sr-only">{isLate && <Loading />}</output>
}

function Loading() {
  usePageTitle(words.loading)
  return words.loadingPage
}

function Boxes() {
  return (
    <div aria-hidden="true">
      <Skeleton className="h-8 w-44" />
      <Skeleton className="mt-6 h-4 w-full max-w-[36rem]" />
      <Skeleton className="mt-3 h-4 w-2/3 max-w-[24rem]" />
      <Skeleton className="mt-8 h-60 w-full max-w-[36rem]" />
    </div>
  )
}
