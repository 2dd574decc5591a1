/** One session with its slides, as a query. */
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'

export function sessionQuery(id: string) {
  return queryOptions({
    queryKey: keys.session.opened(id),
    queryFn: () => client.sessions.read({ params: { id } }),
  })
}
