/** The predefined tags and categories of sessions and media, loaded once. */
import { useQuery } from '@tanstack/react-query'
import { client } from '../api.ts'
import { keys } from '../query-keys.ts'

export function useTags() {
  const { data: tags } = useQuery({
    queryKey: keys.tags,
    queryFn: () => client.classification.tags(),
    staleTime: Infinity,
  })
  return tags ?? []
}

export function useCategories() {
  const { data: categories } = useQuery({
    queryKey: keys.categories,
    queryFn: () => client.classification.categories(),
    staleTime: Infinity,
  })
  return categories ?? []
}
