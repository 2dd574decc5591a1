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

const atMost = 40

export function FromFeed({ slides, onAdd, room }: AddProps & { slides: readonly EditedSlide[] }) {
  const [words, setWords] = useState('')
  const [picked, setPicked] = useState<readonly FeedPost[]>([])
  const found = useQuery({
    queryKey: ['feed-search', words],
    enabled: words !== '',
    queryFn: () =>
      client.feeds.search({
        body: { query: words, limit: atMost, excludeUrls: slides.map(({ mediaUrl }) => mediaUrl) },
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
      <SearchField label="Search the feed" words={words} onSearch={setWords} />
      <Failure text={found.error && explain(found.error)} />
      {words !== '' && found.isPending ? (
        <TilesComing label="Searching" />
      ) : (
        <>
          {tiles.length > 0 && (
            <TileGrid label="Posts">
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
            {sayFound(words, found.isSuccess ? shown.length : null)}
          </output>
        </>
      )}
      <AddFoot count={picked.length} room={room} onAdd={() => onAdd(picked.map(slideOfPost))} />
    </>
  )
}

function sayFound(words: string, count: number | null): string {
  if (words === '') return 'Try a word for what the pictures should show, such as harbour.'
  if (count === null) return ''
  if (count === 0) return `Nothing fits “${words}” that is not here already.`
  return count === 1 ? 'One post fits.' : `${count} posts fit.`
}
