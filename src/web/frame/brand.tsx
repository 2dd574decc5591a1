/** The logo and the name of the site, as a link. */
import { Link } from 'wouter'
import { useSite } from '../site.ts'
import { Mark } from '../ui/mark.tsx'

export function Brand({ href }: { href: string }) {
  const name = useSite()?.name ?? 'Lanternist'
  return (
    <Link
      href={href}
      className="-mx-2 flex min-h-11 min-w-0 items-center gap-2.5 rounded-control px-2"
    >
      <Mark />
      <span className="show-voice max-w-[14rem] truncate text-[1.125rem] font-[560]">{name}</span>
    </Link>
  )
}
