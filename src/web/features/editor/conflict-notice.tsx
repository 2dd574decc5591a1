/** Lets the user choose between two versions of a session and shows how they differ. */
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { formatTime } from '../../words/figures.ts'
import type { Editing } from './edit-history.ts'
import type { Saving } from './saving.ts'
import { keptOf } from './slides.ts'
import { words } from './words.ts'

export function ConflictNotice({ state, saving }: { state: Editing; saving: Saving }) {
  const { theirs } = saving
  if (!theirs) return null
  const { lost, brought } = compare(state, keptOf(theirs, state.kept).slides)
  return (
    <Dialog title={words.changedElsewhere} onClose={saving.decideLater}>
      <p className="text-ink-2">
        {words.bothVersions({ time: formatTime(new Date(theirs.session.updatedAt)) })}
      </p>
      <dl className="grid gap-2 text-sm">
        <Version
          name={words.theirs}
          sentences={[words.versionSlides({ count: theirs.media.length }), ...lost]}
        />
        <Version
          name={words.yours}
          sentences={[words.versionSlides({ count: state.slides.length }), ...brought]}
        />
      </dl>
      <p className="text-xs text-ink-3">{words.versionsNote}</p>
      <DialogActions>
        <Button look="line" onClick={() => void saving.keepMine()}>
          {words.keepMine}
        </Button>
        <Button onClick={saving.takeTheirs}>{words.takeTheirs}</Button>
      </DialogActions>
    </Dialog>
  )
}

function Version({ name, sentences }: { name: string; sentences: readonly string[] }) {
  return (
    <div className="grid grid-cols-[4rem_1fr]">
      <dt className="text-ink-3">{name}</dt>
      <dd>{sentences.join(' ')}</dd>
    </div>
  )
}

/** Counts the slides and captions that only one version has. */
function compare(state: Editing, theirs: Editing['slides']) {
  const mine = new Map(state.slides.map((slide) => [slide.key, slide]))
  const others = new Map(theirs.map((slide) => [slide.key, slide]))
  const onlyTheirs = theirs.filter(({ key }) => !mine.has(key)).length
  const onlyMine = state.slides.filter(({ key }) => !others.has(key)).length
  const otherWords = state.slides.filter(
    ({ key, caption }) => others.has(key) && others.get(key)?.caption !== caption,
  ).length
  return {
    lost: onlyTheirs === 0 ? [] : [words.onlyTheirs({ count: onlyTheirs })],
    brought: [
      ...(onlyMine === 0 ? [] : [words.onlyYours({ count: onlyMine })]),
      ...(otherWords === 0 ? [] : [words.otherCaptions({ count: otherWords })]),
    ],
  }
}
