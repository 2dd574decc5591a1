/** The placeholder of a preview without pictures. */
import { Images } from 'lucide-react'
import type { ReactNode } from 'react'

export function NothingChosen({ children }: { children: ReactNode }) {
  return (
    <div className="grid min-h-56 place-content-center justify-items-center gap-3 rounded-mount bg-well p-6 text-center lg:min-h-112">
      <Images size={28} strokeWidth={1.5} aria-hidden="true" className="text-ink-3" />
      <p className="max-w-[36ch] text-balance text-ink-2">{children}</p>
    </div>
  )
}
