/** Adds slides from a feed: posts that match a search, or the posts of a subfeed. */
import { useState } from 'react'
import { explain } from '../../api.ts'
import { Segment } from '../../ui/choice.tsx'
import { Failure } from '../../ui/failure.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Select } from '../../ui/select.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import type { AddProps } from './add-slides.tsx'
import { type FeedSort, sorts, useFeedSearch, useSubfeed } from './feed-pages.ts'
import { slideOfPost } from './new-slide.ts'
import { AddFoot, PickTile, TileGrid, TilesComing, turnOf } from './pick-tiles.tsx'
import type { EditedSlide, FeedPost } from './slides.ts'
import { words } from './words.ts'

type Way = 'search' | 'browse'

export function FromFeed({ slides, onAdd, room }: AddProps & { slides: readonly EditedSlide[] }) {
  const [way, setWay] = useState<Way>('search')
  const [query, setQuery] = useState('')
  const [subfeed, setSubfeed] = useState('')
  const [sort, setSort] = useState<FeedSort>('hot')
  const [picked, setPicked] = useState<readonly FeedPost[]>([])
  const found = useFeedSearch(
    way === 'search' ? query : '',
    slides.map(({ mediaUrl }) => mediaUrl),
  )
  const browsed = useSubfeed(way === 'browse' ? subfeed : '', sort)
  const { list, posts } = way === 'search' ? found : browsed
  const asked = way === 'search' ? query : subfeed
  // Posts that were picked from an earlier search stay visible.
  const tiles = [...picked.filter(({ id }) => posts.every((post) => post.id !== id)), ...posts]
  const pick = (post: FeedPost) =>
    setPicked((picked) =>
      picked.some(({ id }) => id === post.id)
        ? picked.filter(({ id }) => id !== post.id)
        : [...picked, post],
    )
  const status = { asked, count: list.isSuccess ? posts.length : null, hasMore: list.hasNextPage }
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Segment
          label={words.feedWay}
          value={way}
          onChoose={setWay}
          options={[
            { value: 'search', label: words.feedWays.search },
            { value: 'browse', label: words.feedWays.browse },
          ]}
        />
        {way === 'search' ? (
          <SearchField label={words.searchFeed} words={query} onSearch={setQuery} />
        ) : (
          <>
            <SearchField label={words.subfeedName} words={subfeed} onSearch={setSubfeed} />
            <Select
              isCompact
              label={words.sort}
              value={sort}
              options={sorts.map((value) => ({ value, label: words.sorts[value] }))}
              onChoose={setSort}
            />
          </>
        )}
      </div>
      <Failure text={list.error && explain(list.error)} />
      {asked !== '' && list.isPending ? (
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
            {way === 'search' ? sayFound(status) : sayBrowsed(status)}
          </output>
          {asked !== '' && <ShowMore list={list} isEager={!list.isError} />}
        </>
      )}
      <AddFoot count={picked.length} room={room} onAdd={() => onAdd(picked.map(slideOfPost))} />
    </>
  )
}

type Status = {
  readonly asked: string
  /** Null until the first response. */
  readonly count: number | null
  readonly hasMore: boolean
}

function sayFound({ asked, count, hasMore }: Status): string {
  if (asked === '') return words.tryWord
  if (count === null) return ''
  if (count === 0) return words.nothingFits({ query: asked })
  return hasMore ? words.postsSoFar({ count }) : words.postsFit({ count })
}

function sayBrowsed({ asked, count, hasMore }: Status): string {
  if (asked === '') return words.trySubfeed
  if (count === null) return ''
  if (count === 0) return words.nothingInSubfeed({ subfeed: asked })
  return hasMore ? words.postsSoFar({ count }) : words.postsInAll({ count })
}
