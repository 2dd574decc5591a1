/** A titled surface for content that belongs together. */
import { type ReactNode, useId } from 'react'

export function Panel({
  title,
  aside,
  children,
}: {
  title?: string
  /** At the right of the title. */
  aside?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <section
      aria-labelledby={title === undefined ? undefined : id}
      className="rounded-mount bg-mount p-5 shadow-mount"
    >
      {title !== undefined && (
        <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2">
          <h2 id={id} className="text-lg leading-snug font-semibold">
            {title}
          </h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  )
}
