/** Two versions of one session: what is in each, and which of them stays. */
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { countSlides } from '../sessions/session-data.ts'
import type { Editing } from './edit-history.ts'
import type { Saving } from './saving.ts'
import { keptOf } from './slides.ts'

export function ConflictNotice({ state, saving }: { state: Editing; saving: Saving }) {
  const { theirs } = saving
  if (!theirs) return null
  const { lost, brought } = compare(state, keptOf(theirs, state.kept).slides)
  return (
    <Dialog title="This session was changed elsewhere" onClose={saving.decideLater}>
      <p className="text-ink-2">
        Another tab or device saved it at {timeOf(theirs.session.updatedAt)}. Both versions are
        still there: choose the one that stays.
      </p>
      <dl className="grid gap-2 text-sm">
        <Version name="Theirs" text={`${countSlides(theirs.media.length)}. ${lost}`} />
        <Version name="Yours" text={`${countSlides(state.slides.length)}. ${brought}`} />
      </dl>
      <p className="text-xs text-ink-3">
        Taking theirs can be undone. Keeping yours replaces theirs for good.
      </p>
      <DialogActions>
        <Button look="line" onClick={() => void saving.keepMine()}>
          Keep mine
        </Button>
        <Button onClick={saving.takeTheirs}>Take theirs</Button>
      </DialogActions>
    </Dialog>
  )
}

function Version({ name, text }: { name: string; text: string }) {
  return (
    <div className="grid grid-cols-[4rem_1fr]">
      <dt className="text-ink-3">{name}</dt>
      <dd>{text}</dd>
    </div>
  )
}

/** What each version has that the other has not. */
function compare(state: Editing, theirs: Editing['slides']) {
  const mine = new Map(state.slides.map((slide) => [slide.key, slide]))
  const others = new Map(theirs.map((slide) => [slide.key, slide]))
  const onlyTheirs = theirs.filter(({ key }) => !mine.has(key)).length
  const onlyMine = state.slides.filter(({ key }) => !others.has(key)).length
  const otherWords = state.slides.filter(
    ({ key, caption }) => others.has(key) && others.get(key)?.caption !== caption,
  ).length
  return {
    lost: onlyTheirs === 0 ? '' : `${onlyTheirs} of them you do not have.`,
    brought: [
      onlyMine === 0 ? '' : `${onlyMine} of them only you have.`,
      otherWords === 0 ? '' : `${otherWords} with another caption.`,
    ].join(' '),
  }
}

function timeOf(timestamp: string): string {
  return new Date(timestamp).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
}
