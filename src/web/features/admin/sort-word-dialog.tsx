/** The dialog that adds or changes a tag or a category. */
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { client, explain } from '../../api.ts'
import { isValid, valuesOf } from '../../form-values.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { words } from './setting-words.ts'
import { words as adminWords } from './words.ts'

/** A new one has an empty slug. */
export type SortWord =
  | {
      readonly kind: 'tag'
      readonly slug: string
      readonly label: string
      readonly description: string
    }
  | {
      readonly kind: 'category'
      readonly id: number | null
      readonly slug: string
      readonly label: string
      readonly isDefault: boolean
    }

type Typed = { readonly slug: string; readonly label: string; readonly description: string }

export function SortWordDialog({
  word,
  title,
  onSaved,
  onClose,
}: {
  word: SortWord
  title: string
  onSaved: () => Promise<void>
  onClose: () => void
}) {
  const save = useMutation({
    mutationFn: (typed: Typed) => saveWord(word, typed),
    onSuccess: async () => {
      await onSaved()
      showToast({ text: adminWords.saved })
      onClose()
    },
  })
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!isValid(event.currentTarget) || save.isPending) return
    const valueOf = valuesOf(event.currentTarget)
    save.mutate({
      slug: valueOf('slug'),
      label: valueOf('label').trim(),
      description: valueOf('description').trim(),
    })
  }
  // The slug of a tag never changes: sessions and pictures refer to it.
  const hasSlugField = word.slug === '' || word.kind === 'category'
  return (
    <Dialog title={title} onClose={onClose}>
      <form noValidate onSubmit={send} className="grid gap-4">
        <Field
          label={words.label}
          name="label"
          required
          maxLength={100}
          defaultValue={word.label}
          complaint={words.nameWrong}
        />
        {hasSlugField && (
          <Field
            label={words.slug}
            name="slug"
            required
            maxLength={120}
            pattern="[a-z0-9]+(-[a-z0-9]+)*"
            defaultValue={word.slug}
            complaint={words.slugWrong}
          />
        )}
        {word.kind === 'tag' && (
          <Field
            label={words.description}
            name="description"
            maxLength={500}
            defaultValue={word.description}
            complaint={words.descriptionWrong}
          />
        )}
        <Failure text={save.error && explain(save.error)} />
        <DialogActions>
          <Button look="bare" onClick={onClose}>
            {adminWords.cancel}
          </Button>
          <Button type="submit" look="lit" isBusy={save.isPending}>
            {word.slug === '' ? adminWords.add : adminWords.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

async function saveWord(word: SortWord, { slug, label, description }: Typed): Promise<void> {
  if (word.kind === 'tag') {
    if (word.slug === '') await client.admin.createTag({ body: { slug, label, description } })
    else
      await client.admin.changeTag({
        params: { slug: word.slug },
        body: { label, description },
      })
  } else if (word.id === null) await client.admin.createCategory({ body: { slug, name: label } })
  else
    await client.admin.changeCategory({
      params: { id: String(word.id) },
      body: { slug, name: label },
    })
}
