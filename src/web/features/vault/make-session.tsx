/** Creates a session of the selected files, free of charge: asks for a title and opens the editor. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { client, explain } from '../../api.ts'
import { isValid } from '../../form-values.ts'
import { keys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Field } from '../../ui/field.tsx'
import { formatDay } from '../../words/figures.ts'
import { maxSlides } from '../editor/slides.ts'
import { words } from './words.ts'

export function MakeSession({ ids, onClose }: { ids: readonly number[]; onClose: () => void }) {
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const [title, setTitle] = useState(() => formatDay(new Date()))
  const isTooMany = ids.length > maxSlides
  const make = useMutation({
    mutationFn: () =>
      client.sessions.createManual({
        body: { title: title.trim(), slides: ids.map((mediaId) => ({ mediaId })) },
      }),
    onSuccess: async ({ session }) => {
      navigate(`/sessions/${session.id}/edit`)
      await queryClient.invalidateQueries({ queryKey: keys.sessions.all })
    },
  })

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (!isTooMany && !make.isPending && isValid(event.currentTarget)) make.mutate()
  }

  return (
    <Dialog title={words.newSession({ count: ids.length })} onClose={onClose}>
      <form noValidate onSubmit={send} className="grid gap-4">
        <Field
          label={words.title}
          name="title"
          complaint={words.titleMissing}
          required
          pattern=".*\S.*"
          maxLength={200}
          autoComplete="off"
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <Failure
          text={isTooMany ? words.atMost({ max: maxSlides }) : make.error && explain(make.error)}
        />
        <DialogActions>
          <Button look="bare" onClick={onClose}>
            {words.notNow}
          </Button>
          <Button type="submit" look="lit" disabled={isTooMany} isBusy={make.isPending}>
            {words.make}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
