/** The file of a slide: its name and, for its owner, the time at which it was added to the vault. */
import { useQuery } from '@tanstack/react-query'
import { client } from '../../../api.ts'
import { nameIn } from '../../../file-name.ts'
import { keys } from '../../../query-keys.ts'
import { useCurrentUser } from '../../accounts/current-user.ts'
import type { Playlist } from '../playlist.ts'

/** The largest number of results: the vault is searched by name, and several files may share it. */
const maxMatches = 20

type SlideFile = { readonly name: string; readonly addedAt: string | null }

export function useSlideFile(mediaUrl: string, { session }: Playlist): SlideFile {
  const { data: user } = useCurrentUser()
  const name = nameIn(mediaUrl)
  const isOwn = session !== null && session.userId === user?.id
  const isHere = mediaUrl.startsWith('/')
  const { data } = useQuery({
    queryKey: keys.vault.named(name),
    queryFn: () => client.vault.list({ query: { search: name, limit: String(maxMatches) } }),
    enabled: isOwn && isHere && name !== '',
  })
  const file = data?.files.find(({ url }) => url === mediaUrl)
  if (file) return { name: file.originalName, addedAt: file.created_at }
  // The address of a stored file contains a generated name with a timestamp. Do not show that name.
  return { name: isHere ? '' : name, addedAt: null }
}
