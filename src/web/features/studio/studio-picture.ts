/** A picture that a tool works on: its address, and the loaded image. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useSearchParams } from 'wouter'
import { nameIn } from '../../file-name.ts'
import { keys } from '../../query-keys.ts'
import type { VaultFile } from '../../uploads/page-uploads.ts'

export type StudioPicture = { readonly url: string; readonly name: string }

export function pictureOfFile({ url, originalName }: VaultFile): StudioPicture {
  return { url, name: originalName }
}

/** Returns a picture that another page opened in the studio: '/studio/censor?picture=…'. */
export function useOpenedPicture(): StudioPicture | null {
  const [params] = useSearchParams()
  const url = params.get('picture') ?? ''
  // Only our own files and web addresses.
  if (!/^(\/media\/|https?:\/\/)/.test(url)) return null
  return { url, name: nameIn(url) }
}

/** Has no data until the image is loaded, and an error if it cannot be shown. */
export function useLoadedPicture(picture: StudioPicture | null) {
  return useQuery({ ...loading(picture?.url ?? ''), enabled: picture !== null })
}

/** Returns the images in order, null for each that is not loaded yet. */
export function useLoadedPictures(
  pictures: readonly StudioPicture[],
): readonly (HTMLImageElement | null)[] {
  const queryClient = useQueryClient()
  const [loaded, setLoaded] = useState<ReadonlyMap<string, HTMLImageElement>>(new Map())
  // Without `useQueries`, which would increase the script of every page that uses queries.
  useEffect(() => {
    for (const { url } of pictures)
      queryClient.fetchQuery(loading(url)).then(
        (image) => setLoaded((others) => new Map(others).set(url, image)),
        () => {},
      )
  }, [queryClient, pictures])
  return useMemo(() => pictures.map(({ url }) => loaded.get(url) ?? null), [pictures, loaded])
}

export function sizeOf(image: HTMLImageElement) {
  return { width: image.naturalWidth, height: image.naturalHeight }
}

function loading(url: string) {
  return {
    queryKey: keys.studio.picture(url),
    staleTime: Infinity,
    // Decoded pictures are large.
    gcTime: 60_000,
    // An element cannot be compared field by field.
    structuralSharing: false,
    queryFn: async () => {
      const image = new Image()
      image.src = url
      await image.decode()
      return image
    },
  } as const
}
