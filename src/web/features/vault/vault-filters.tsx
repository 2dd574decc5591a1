/** The filters of the vault: text, origin of the files, and upload date. */
import { Chip } from '../../ui/chip.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Select } from '../../ui/select.tsx'
import { categories, ranges, type VaultFilter, type VaultPage } from './vault-cache.ts'
import { words } from './words.ts'

export function VaultFilters({
  filter,
  counts,
  onChange,
}: {
  filter: VaultFilter
  counts: VaultPage['categories'] | null
  onChange: (part: Partial<VaultFilter>) => void
}) {
  const all = Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0)
  const shown = categories.filter(
    (category) =>
      category === 'all' || category === filter.category || (counts?.[category] ?? 0) > 0,
  )
  return (
    <div className="mb-4 grid gap-3 sm:flex sm:items-center sm:gap-2">
      <SearchField
        label={words.search}
        words={filter.search}
        onSearch={(search) => onChange({ search })}
      />
      <div className="scroll-row flex min-w-0 grow items-center gap-2 py-0.5 sm:flex-wrap">
        {shown.map((category) => (
          <Chip
            key={category}
            isOn={filter.category === category}
            onSwitch={() => onChange({ category })}
            {...(counts ? { count: category === 'all' ? all : counts[category] } : {})}
          >
            {words.kinds[category]}
          </Chip>
        ))}
        <div className="sm:ms-auto">
          <Select
            isCompact
            label={words.added}
            value={filter.range}
            options={ranges.map((value) => ({ value, label: words.ranges[value] }))}
            onChoose={(range) => onChange({ range })}
          />
        </div>
      </div>
    </div>
  )
}
