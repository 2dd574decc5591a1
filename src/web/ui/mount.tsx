/** The mount: a card around a picture, like the mount of a slide. */
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

/** The opening of a mount, 3:2 for every picture. */
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

/** A cover in an aperture, cropped to its centre. */
export function Cover({
  url,
  sizes,
  description = '',
  isFirst = false,
}: {
  url: string | null
  /** Its smaller files, for `srcset`. */
  sizes?: { readonly srcSet: string; readonly sizes: string } | null
  description?: string
  /** True for the main picture of the page: it loads first. */
  isFirst?: boolean
}) {
  if (url === null) return null
  return (
    <img
      {...sizes}
      src={url}
      alt={description}
      loading={isFirst ? 'eager' : 'lazy'}
      fetchPriority={isFirst ? 'high' : 'low'}
      // A picture in the page that the server sent must not vanish for a moment when the script takes
      // over.
      decoding={isFirst ? 'sync' : 'async'}
      className="absolute inset-0 size-full object-cover"
    />
  )
}
