/** What narrows the community: words, tags, a category, and what comes first. */
import { Chip } from '../../ui/chip.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Select } from '../../ui/select.tsx'
import { useCategories, useTags } from '../../words.ts'
import type { CommunityFilter, Sort } from './community-list.ts'

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
  const tags = useTags()
  const categories = useCategories()
  const switchTag = (slug: string) =>
    onChange({
      tags: filter.tags.includes(slug)
        ? filter.tags.filter((tag) => tag !== slug)
        : [...filter.tags, slug],
    })
  return (
    <div className="mb-5 grid gap-3">
      <div className="grid gap-3 sm:flex sm:items-center sm:gap-2">
        <SearchField
          label="Search titles"
          words={filter.words}
          onSearch={(words) => onChange({ words })}
        />
        <div className="flex gap-2 sm:ml-auto">
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
          <Select
            isCompact
            label="Category"
            value={filter.categorySlug ?? ''}
            options={[
              { value: '', label: 'All categories' },
              ...categories.map(({ slug, name }) => ({ value: slug, label: name })),
            ]}
            onChoose={(slug) => onChange({ categorySlug: slug === '' ? null : slug })}
          />
          <Select
            isCompact
            label="Order"
            value={filter.sort}
            options={sorts}
            onChoose={(sort) => onChange({ sort })}
          />
        </div>
      </div>
      <div role="group" aria-label="Tags" className="scroll-row flex gap-2 py-0.5 sm:flex-wrap">
        {tags.map(({ slug, label }) => (
          <Chip key={slug} isOn={filter.tags.includes(slug)} onSwitch={() => switchTag(slug)}>
            {label}
          </Chip>
        ))}
      </div>
    </div>
  )
}
