/** The tags and categories of sessions and pictures. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { CannotShow } from '../../ui/failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { ListSkeleton, useAdminList } from './admin-list.tsx'
import { words } from './setting-words.ts'
import { type SortWord, SortWordDialog } from './sort-word-dialog.tsx'
import { words as adminWords } from './words.ts'

export function TagsSection() {
  const queryClient = useQueryClient()
  const refresh = async () => {
    const shown = [keys.admin.all, keys.tags, keys.categories]
    await Promise.all(shown.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  }
  const tags = useAdminList(['tags'], (page) => client.admin.tags({ query: page }))
  const categories = useAdminList(['categories'], (page) =>
    client.admin.categories({ query: page }),
  )
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
      <Words
        title={words.tags}
        addLabel={words.newTag}
        list={tags}
        shown={tags.items?.map(({ slug, label, description }) => ({
          kind: 'tag' as const,
          slug,
          label,
          description,
        }))}
        fresh={{ kind: 'tag', slug: '', label: '', description: '' }}
        onSaved={refresh}
      />
      <Words
        title={words.categories}
        addLabel={words.newCategory}
        list={categories}
        shown={categories.items?.map(({ id, slug, name, isDefault }) => ({
          kind: 'category' as const,
          id,
          slug,
          label: name,
          isDefault,
        }))}
        fresh={{ kind: 'category', id: null, slug: '', label: '', isDefault: false }}
        onSaved={refresh}
      />
    </div>
  )
}

function Words({
  title,
  addLabel,
  list,
  shown,
  fresh,
  onSaved,
}: {
  title: string
  addLabel: string
  list: {
    readonly error: Error | null
    readonly refetch: () => Promise<unknown>
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => Promise<unknown>
  }
  shown: readonly SortWord[] | undefined
  fresh: SortWord
  onSaved: () => Promise<void>
}) {
  const [changed, setChanged] = useState<SortWord | null>(null)
  return (
    <Panel title={title} aside={<Button onClick={() => setChanged(fresh)}>{addLabel}</Button>}>
      {!shown && list.error && (
        <CannotShow error={list.error} onRetry={() => void list.refetch()} />
      )}
      {!shown && !list.error && <ListSkeleton label={words.wordsLoading} />}
      <ul>
        {shown?.map((word) => (
          <li
            key={word.slug}
            className="flex items-center gap-3 border-hairline py-2 not-first:border-t"
          >
            <div className="min-w-0 grow">
              <p className="break-words">{word.label}</p>
              <p className="text-xs break-all text-ink-3">{word.slug}</p>
            </div>
            {word.kind === 'category' && word.isDefault ? (
              <p className="text-sm text-ink-3">{words.standard}</p>
            ) : (
              <Button
                look="line"
                aria-label={adminWords.changeOne({ name: word.label })}
                onClick={() => setChanged(word)}
              >
                {adminWords.change}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <div className="grid">
        <ShowMore list={list} />
      </div>
      {changed && (
        <SortWordDialog
          word={changed}
          title={changed.slug === '' ? addLabel : adminWords.changeOne({ name: changed.label })}
          onSaved={onSaved}
          onClose={() => setChanged(null)}
        />
      )}
    </Panel>
  )
}
