/** The mount: a card around a picture, as a slide has one. */
import type { ReactNode } from 'react'

export function Mount({
  isFeature = false,
  children,
}: {
  isFeature?: boolean
  children: ReactNode
}) {
  return (
    <article
      className={`relative flex min-w-0 flex-col rounded-mount bg-mount p-1.5 shadow-mount sm:p-2 ${
        isFeature ? 'col-span-2 lg:row-span-2' : ''
      }`}
    >
      {children}
    </article>
  )
}

/** The opening of a mount: 3:2, whatever is behind it. */
export function Aperture({
  isFeature = false,
  children,
}: {
  isFeature?: boolean
  children: ReactNode
}) {
  return (
    <div
      className={`relative overflow-hidden rounded-aperture bg-well ${
        isFeature ? 'aspect-[16/10] lg:aspect-auto lg:min-h-96 lg:grow' : 'aspect-3/2'
      }`}
    >
      {children}
    </div>
  )
}

/** A cover in an aperture. It is cropped; what lies in its middle counts. */
export function Cover({
  url,
  sizes,
  description = '',
  isFirst = false,
}: {
  url: string | null
  /** Its smaller files, as `srcset` wants them. */
  sizes?: { readonly srcSet: string; readonly sizes: string } | null
  description?: string
  /** What the page is looked at for. */
  isFirst?: boolean
}) {
  if (url === null) return null
  return (
    <img
      {...sizes}
      src={url}
      alt={description}
      loading={isFirst ? 'eager' : 'lazy'}
      fetchPriority={isFirst ? 'high' : 'auto'}
      // What stood there before any script is not to go for a moment.
      decoding={isFirst ? 'sync' : 'async'}
      className="absolute inset-0 size-full object-cover"
    />
  )
}
