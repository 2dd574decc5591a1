/** The mark and the name, which lead to the start. */
import { Link } from 'wouter'
import { Mark } from '../ui/mark.tsx'

export function Brand({ href }: { href: string }) {
  return (
    <Link href={href} className="-mx-2 flex min-h-11 items-center gap-2.5 rounded-control px-2">
      <Mark />
      <span className="show-voice text-[1.125rem] font-[560]">Lanternist</span>
    </Link>
  )
}
