/** Creates a session from pictures picked in a feed and opens it in the editor. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { client, explain } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { formatDay } from '../../words/figures.ts'
import { FromFeed } from './from-feed.tsx'
import { type EditedSlide, maxSlides, slideToMake } from './slides.ts'
import { words } from './words.ts'

export function PickFromFeed({ title, onClose }: { title: string; onClose: () => void }) {
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const make = useMutation({
    mutationFn: (slides: readonly EditedSlide[]) =>
      client.sessions.createManual({
        // Without a title the session is named after the day. It can be renamed in the editor.
        body: { title: title.trim() || formatDay(new Date()), slides: slides.map(slideToMake) },
      }),
    onSuccess: async ({ session }) => {
      navigate(`/sessions/${session.id}/edit`)
      await queryClient.invalidateQueries({ queryKey: keys.sessions.all })
    },
  })
  return (
    <Dialog title={words.pickPictures} onClose={onClose} width="wide">
      <Failure text={make.error && words.notMade({ problem: explain(make.error) })} />
      <FromFeed
        slides={[]}
        room={maxSlides}
        onAdd={(slides) => {
          if (!make.isPending) make.mutate(slides)
        }}
      />
    </Dialog>
  )
}
