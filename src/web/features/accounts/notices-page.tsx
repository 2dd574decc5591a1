/** The notices of the site to the account, newest first, until they are marked as read. */
import { explain } from '../../api.ts'
import { PageHead } from '../../frame/page-head.tsx'
import { usePageTitle } from '../../page-title.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { CannotShow, Failure } from '../../ui/failure.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { formatMoment } from '../../words/figures.ts'
import { words } from './leaving-words.ts'
import { noticeText } from './notice-text.ts'
import { useMarkNotices, useNotices } from './notices.ts'

export function NoticesPage() {
  usePageTitle(words.notices)
  const list = useNotices()
  const mark = useMarkNotices()
  const notices = list.data?.pages.flatMap((page) => page.items) ?? []
  const unread = list.data?.pages[0]?.unread ?? 0
  return (
    <>
      <PageHead
        title={words.notices}
        back={{ href: '/account', label: words.backToAccount }}
        beside={
          <output className="text-sm text-ink-2 empty:hidden">
            {unread > 0 && words.noticesUnread({ count: unread })}
          </output>
        }
      >
        {unread > 0 && (
          <Button look="line" isBusy={mark.isPending} onClick={() => mark.mutate()}>
            {words.markRead}
          </Button>
        )}
      </PageHead>
      <Failure text={mark.error && explain(mark.error)} />
      {list.isPending && (
        <Waiting label={words.noticesLoading}>
          <Skeleton className="h-40 max-w-[48rem]" />
        </Waiting>
      )}
      {list.isError && <CannotShow error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && notices.length === 0 && (
        <EmptyState headline={words.noticesEmpty}>{words.noticesEmptyReason}</EmptyState>
      )}
      {notices.length > 0 && (
        <ul className="max-w-[48rem] overflow-hidden rounded-mount bg-mount shadow-mount">
          {notices.map(({ id, message, createdAt, readAt }) => (
            <li key={id} className="border-t border-hairline px-5 py-4 first:border-0">
              <p
                className={`[overflow-wrap:anywhere] ${readAt === null ? 'font-[560]' : 'text-ink-2'}`}
              >
                {noticeText(message)}
              </p>
              <p className="mt-1 flex items-center gap-2 text-xs text-ink-3">
                {formatMoment(new Date(createdAt))}
                {readAt === null && (
                  <span className="rounded-aperture bg-press px-1.5 py-0.5 font-[560] text-ink">
                    {words.isNew}
                  </span>
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
      <div className="grid max-w-[48rem]">
        <ShowMore list={list} />
      </div>
    </>
  )
}
