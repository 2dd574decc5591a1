/** What narrows the community: words, tags, a category, and what comes first. */
import { CategorySelect } from '../../category-select.tsx'
import { TagChips } from '../../tag-chips.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Select } from '../../ui/select.tsx'
import type { CommunityFilter, Sort } from './community-list.ts'

const mostTags = 10

const sorts: readonly { value: Sort; label: string }[] = [
  { value: 'recent', label: 'Recent first' },
  { value: 'popular', label: 'Most saved first' },
]

export function CommunityFilters({
  filter,
  onChange,
}: {
  filter: CommunityFilter
  onChange: (part: Partial<CommunityFilter>) => void
}) {
  return (
    <div className="mb-5 grid gap-3">
      <div className="grid gap-3 sm:flex sm:items-center sm:gap-2">
        <SearchField
          label="Search titles"
          words={filter.words}
          onSearch={(words) => onChange({ words })}
        />
        <div className="flex gap-2 sm:ms-auto">
          {filter.tags.length > 1 && (
            <Select
              isCompact
              label="Match of tags"
              value={filter.tagMode}
              options={[
                { value: 'or', label: 'Any of the tags' },
                { value: 'and', label: 'All of the tags' },
              ]}
              onChoose={(tagMode) => onChange({ tagMode })}
            />
          )}
          <CategorySelect slug={filter.categorySlug} onChange={onChange} />
          <Select
            isCompact
            label="Order"
            value={filter.sort}
            options={sorts}
            onChoose={(sort) => onChange({ sort })}
          />
        </div>
      </div>
      <TagChips
        chosen={filter.tags}
        onChange={(tags) => onChange({ tags })}
        most={mostTags}
        className="scroll-row flex gap-2 py-0.5 sm:flex-wrap"
      />
    </div>
  )
}
