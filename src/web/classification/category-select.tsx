/** A filter by one category, or by all. */
import { Select } from '../ui/select.tsx'
import { useCategories } from './classification.ts'
import { words } from './words.ts'

export function CategorySelect({
  slug,
  onChange,
}: {
  slug: string | null
  onChange: (part: { categorySlug: string | null }) => void
}) {
  const categories = useCategories()
  return (
    <Select
      isCompact
      label={words.category}
      value={slug ?? ''}
      options={[
        { value: '', label: words.allCategories },
        ...categories.map(({ slug, name }) => ({ value: slug, label: name })),
      ]}
      onChoose={(slug) => onChange({ categorySlug: slug === '' ? null : slug })}
    />
  )
}
