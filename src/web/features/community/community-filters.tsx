/** The filters of the community: text, tags, a category, and the order. */
import { CategorySelect } from '../../classification/category-select.tsx'
import { TagChips } from '../../classification/tag-chips.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Select } from '../../ui/select.tsx'
import { words as sessionWords } from '../sessions/words.ts'
import type { CommunityFilter } from './community-list.ts'
import { words } from './words.ts'

const maxTags = 10

const sorts = (['recent', 'popular'] as const).map((value) => ({
  value,
  label: words.sorts[value],
}))

const tagModes = (['or', 'and'] as const).map((value) => ({ value, label: words.tagModes[value] }))

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
          label={sessionWords.searchTitles}
          words={filter.words}
          onSearch={(words) => onChange({ words })}
        />
        <div className="flex flex-wrap gap-2 sm:ms-auto">
          {filter.tags.length > 1 && (
            <Select
              isCompact
              label={words.tagMatch}
              value={filter.tagMode}
              options={tagModes}
              onChoose={(tagMode) => onChange({ tagMode })}
            />
          )}
          <CategorySelect slug={filter.categorySlug} onChange={onChange} />
          <Select
            isCompact
            label={words.order}
            value={filter.sort}
            options={sorts}
            onChoose={(sort) => onChange({ sort })}
          />
        </div>
      </div>
      <TagChips
        chosen={filter.tags}
        onChange={(tags) => onChange({ tags })}
        max={maxTags}
        className="scroll-row flex gap-2 py-0.5 sm:flex-wrap"
      />
    </div>
  )
}
