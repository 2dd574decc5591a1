/** The filters of the library: text, favourites, a tag, a category. */
import { useQueryClient } from '@tanstack/react-query'
import { Star } from 'lucide-react'
import { CategorySelect } from '../../classification/category-select.tsx'
import { useTags } from '../../classification/classification.ts'
import { keys, type SessionPages } from '../../query-keys.ts'
import { Chip } from '../../ui/chip.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { words as sessionWords } from '../sessions/words.ts'
import type { LibraryFilter } from './library-query.ts'
import { words } from './words.ts'

export function LibraryFilters({
  filter,
  onChange,
}: {
  filter: LibraryFilter
  onChange: (part: Partial<LibraryFilter>) => void
}) {
  const tags = useOwnTags(filter.tag)
  const isAll = !filter.isFavourite && filter.tag === null
  return (
    <div className="mb-5 grid gap-3 sm:flex sm:items-center sm:gap-2">
      <SearchField
        label={sessionWords.searchTitles}
        words={filter.words}
        onSearch={(words) => onChange({ words })}
      />
      <div className="scroll-row flex min-w-0 grow items-center sm:flex-wrap gap-2 py-0.5">
        <Chip isOn={isAll} onSwitch={() => onChange({ isFavourite: false, tag: null })}>
          {words.all}
        </Chip>
        <Chip
          isOn={filter.isFavourite}
          onSwitch={() => onChange({ isFavourite: !filter.isFavourite })}
          icon={<Star size={14} aria-hidden="true" />}
        >
          {words.favourites}
        </Chip>
        {tags.map(({ slug, label }) => (
          <Chip
            key={slug}
            isOn={filter.tag === slug}
            onSwitch={() => onChange({ tag: filter.tag === slug ? null : slug })}
          >
            {label}
          </Chip>
        ))}
        <div className="sm:ms-auto">
          <CategorySelect slug={filter.categorySlug} onChange={onChange} />
        </div>
      </div>
    </div>
  )
}

/** Returns the tags of the sessions loaded so far, and the chosen tag. */
function useOwnTags(chosen: string | null) {
  const queryClient = useQueryClient()
  const tags = useTags()
  const lists = queryClient.getQueriesData<SessionPages>({ queryKey: keys.sessions.lists })
  const seen = new Set(
    lists.flatMap(([, list]) => list?.pages.flat().flatMap((session) => session.tags) ?? []),
  )
  return tags.filter(({ slug }) => seen.has(slug) || slug === chosen)
}
