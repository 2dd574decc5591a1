/** The choice of one category, or of all, that narrows a list. */
import { useCategories } from './classification.ts'
import { Select } from './ui/select.tsx'

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
      label="Category"
      value={slug ?? ''}
      options={[
        { value: '', label: 'All categories' },
        ...categories.map(({ slug, name }) => ({ value: slug, label: name })),
      ]}
      onChoose={(slug) => onChange({ categorySlug: slug === '' ? null : slug })}
    />
  )
}
