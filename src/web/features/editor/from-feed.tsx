/** Slides from the feed: posts that fit some words. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, explain } from '../../api.ts'
import { Failure } from '../../ui/failure.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import type { AddProps } from './add-slides.tsx'
import { slideOfPost } from './new-slide.ts'
import { AddFoot, PickTile, TileGrid, TilesComing, turnOf } from './pick-tiles.tsx'
import type { EditedSlide, FeedPost } from './slides.ts'
import { words } from './words.ts'

const atMost = 40

export function FromFeed({ slides, onAdd, room }: AddProps & { slides: readonly EditedSlide[] }) {
  const [query, setQuery] = useState('')
  const [picked, setPicked] = useState<readonly FeedPost[]>([])
  const found = useQuery({
    queryKey: ['feed-search', query],
    enabled: query !== '',
    queryFn: () =>
      client.feeds.search({
        body: { query, limit: atMost, excludeUrls: slides.map(({ mediaUrl }) => mediaUrl) },
      }),
  })
  const shown = found.data ?? []
  // What was picked from an earlier search stays in sight.
  const tiles = [...picked.filter(({ id }) => shown.every((post) => post.id !== id)), ...shown]
  const pick = (post: FeedPost) =>
    setPicked((picked) =>
      picked.some(({ id }) => id === post.id)
        ? picked.filter(({ id }) => id !== post.id)
        : [...picked, post],
    )
  return (
    <>
      <SearchField label={words.searchFeed} words={query} onSearch={setQuery} />
      <Failure text={found.error && explain(found.error)} />
      {query !== '' && found.isPending ? (
        <TilesComing label={words.searching} />
      ) : (
        <>
          {tiles.length > 0 && (
            <TileGrid label={words.posts}>
              {tiles.map((post) => (
                <PickTile
                  key={post.id}
                  picture={slideOfPost(post)}
                  name={post.title}
                  turn={turnOf(picked, post)}
                  onSwitch={() => pick(post)}
                />
              ))}
            </TileGrid>
          )}
          <output className="text-sm text-ink-3 empty:hidden">
            {sayFound(query, found.isSuccess ? shown.length : null)}
          </output>
        </>
      )}
      <AddFoot count={picked.length} room={room} onAdd={() => onAdd(picked.map(slideOfPost))} />
    </>
  )
}

function sayFound(query: string, count: number | null): string {
  if (query === '') return words.tryWord
  if (count === null) return ''
  return count === 0 ? words.nothingFits({ query }) : words.postsFit({ count })
}
