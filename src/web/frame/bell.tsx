/** The bell: the number of unread notices, and the link to them. */
import { Bell as BellIcon } from 'lucide-react'
import { Link } from 'wouter'
import { useCurrentUser } from '../features/accounts/current-user.ts'
import { useUnreadCount } from '../features/accounts/notices.ts'
import { formatNumber } from '../words/figures.ts'
import { words } from './words.ts'

export function Bell() {
  const { data: user } = useCurrentUser()
  return user ? <RingingBell /> : null
}

function RingingBell() {
  const unread = useUnreadCount()
  return (
    <Link href="/account/notices" className="icon-button relative" title={words.notices}>
      <BellIcon size={18} strokeWidth={1.75} aria-hidden="true" />
      <span className="sr-only">
        {unread > 0 ? words.newNotices({ count: unread }) : words.notices}
      </span>
      {unread > 0 && (
        <span
          aria-hidden="true"
          className="absolute end-0.5 top-0.5 grid h-4 min-w-4 place-items-center rounded-full bg-lamp px-1 text-2xs font-semibold text-on-lamp"
        >
          {unread > 99 ? '99+' : formatNumber(unread)}
        </span>
      )}
    </Link>
  )
}
