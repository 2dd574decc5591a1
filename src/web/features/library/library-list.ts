/** The list of the library: its filters, stored in the address, and its pages. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useAddressFilter } from '../../address-filter.ts'
import { useCurrentUser } from '../accounts/current-user.ts'
import { type LibraryFilter, libraryFilterOf, libraryQuery } from './library-query.ts'

export function useLibraryFilter() {
  return useAddressFilter(libraryFilterOf, addressOf)
}

/** The first session of a new account may still be in preparation: poll for it a few times. */
const openingLooks = 5
const openingPauseMs = 3000
const newAccountMs = 60_000

export function useLibraryList(filter: LibraryFilter) {
  const { data: user } = useCurrentUser()
  return useInfiniteQuery({
    ...libraryQuery(filter),
    placeholderData: (shown) => shown,
    refetchInterval: ({ state }) => {
      const isBare = state.data?.pages[0]?.length === 0 && addressOf(filter).size === 0
      const isNew = user && Date.now() - Date.parse(user.createdAt) < newAccountMs
      return isBare && isNew && state.dataUpdateCount < openingLooks ? openingPauseMs : false
    },
  })
}

function addressOf({ isFavourite, tag, categorySlug, words }: LibraryFilter): URLSearchParams {
  const params = new URLSearchParams()
  if (isFavourite) params.set('favourites', '1')
  if (tag !== null) params.set('tag', tag)
  if (categorySlug !== null) params.set('category', categorySlug)
  if (words !== '') params.set('q', words)
  return params
}
