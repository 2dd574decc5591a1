/** The show as a value: the order of slides, waiting for pictures, and invariants. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { msUntil, slidesToPrepare } from '../../src/web/features/player/engine/look-ahead.ts'
import {
  holdAsPicture,
  setHolds,
  setSlides,
} from '../../src/web/features/player/engine/show-slides.ts'
import * as shows from '../../src/web/features/player/engine/show.ts'
import { speedBeside, speeds } from '../../src/web/features/player/engine/speeds.ts'

type Show = shows.Show

const slides = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: at + 1, holdMs: 1000, endsItself: false }))

function begin(count: number, change: Partial<shows.ShowSlide> = {}): Show {
  const made = slides(count).map((slide) => ({ ...slide, ...change }))
  return shows.beginShow({ slides: made, seed: 'seed', isByHand: false })
}

/** Marks every slide as ready. */
function allReady(show: Show): Show {
  return show.slides.reduce((now, _, index) => shows.markReady(now, index), show)
}

/** Runs the show to its end and returns the indexes of the shown slides. */
function runThrough(show: Show, max: number): number[] {
  const shown: number[] = []
  let now = show
  for (let turn = 0; turn < max && !now.isOver; turn += 1) {
    shown.push(shows.shownIndex(now) ?? -1)
    now = shows.elapse(now, shows.dueInMs(now) ?? 0)
  }
  return shown
}

test('a show waits for its first picture, then each slide has its time', () => {
  const waiting = begin(3)
  expect(shows.shownIndex(waiting)).toBe(null)
  expect(shows.elapse(waiting, 60_000)).toEqual(waiting)

  const first = allReady(waiting)
  expect([shows.shownIndex(first), shows.dueInMs(first)]).toEqual([0, 1000])
  expect(shows.shownIndex(shows.elapse(first, 999))).toBe(0)
  expect(shows.shownIndex(shows.elapse(first, 1000))).toBe(1)
})

test('it plays through and ends, and can be played again', () => {
  const show = allReady(begin(4))
  expect(runThrough(show, 20)).toEqual([0, 1, 2, 3])
  let over = show
  for (let slide = 0; slide < 4; slide += 1) over = shows.elapse(over, 1000)
  expect([over.isOver, over.isRunning, shows.shownIndex(over)]).toEqual([true, false, 3])
  expect(shows.previous(over)).toMatchObject({ isOver: false, position: 3 })
  expect(shows.shownIndex(shows.play(over))).toBe(0)
})

test('a loop goes on with the next round', () => {
  const show = shows.setLooping(allReady(begin(3)), true)
  expect(runThrough(show, 7)).toEqual([0, 1, 2, 0, 1, 2, 0])
})

test('back from the start of a shuffled round is what was shown before it, round by round', () => {
  const begun = shows.setLooping(shows.setShuffled(allReady(begin(6)), true), true)
  let show = begun
  const shown = [shows.shownIndex(show)]
  for (let turn = 0; turn < 17; turn += 1) {
    show = shows.next(show)
    shown.push(shows.shownIndex(show))
  }
  const back = [shows.shownIndex(show)]
  for (let turn = 0; turn < 17; turn += 1) {
    show = shows.previous(show)
    back.push(shows.shownIndex(show))
  }
  expect(back).toEqual(shown.toReversed())
  const forth = [shows.shownIndex(show)]
  for (let turn = 0; turn < 17; turn += 1) {
    show = shows.next(show)
    forth.push(shows.shownIndex(show))
  }
  expect(forth).toEqual(shown)
})

test('a film that may not start is shown as a picture for a while', () => {
  const still = holdAsPicture(allReady(begin(2, { endsItself: true })), 0, 3000)
  expect(shows.dueInMs(still)).toBe(3000)
  expect(shows.shownIndex(shows.elapse(still, 3000))).toBe(1)
})

test('the picture on the screen stays until the next one is ready', () => {
  let show = shows.markReady(begin(2), 0)
  show = shows.elapse(show, 5000)
  expect(shows.shownIndex(show)).toBe(0)
  expect(shows.shownIndex(shows.markReady(show, 1))).toBe(1)
})

test('a slide that cannot be shown is stepped over, both ways, and when it fails while it is on', () => {
  const show = shows.markBroken(allReady(begin(4)), 1)
  expect(shows.shownIndex(shows.next(show))).toBe(2)
  expect(shows.shownIndex(shows.previous(shows.next(show)))).toBe(0)
  expect(shows.shownIndex(shows.markBroken(show, 0))).toBe(2)
  const none = [0, 1, 2, 3].reduce(shows.markBroken, begin(4))
  expect(none.isOver).toBe(true)
  expect([0, 1, 2, 3].reduce(shows.markBroken, shows.setLooping(begin(4), true)).isOver).toBe(true)
})

test('a missing slide is awaited, and requested again when possible', () => {
  const waiting = shows.next(shows.markMissing(shows.markReady(begin(5), 0), 1))
  expect([shows.shownIndex(waiting), waiting.isOver]).toEqual([0, false])
  expect(slidesToPrepare(waiting, 3)).toEqual([0, 2, 3])
  const asked = shows.askAgain(waiting)
  expect(slidesToPrepare(asked, 3)).toEqual([0, 1, 2, 3])
  expect(shows.shownIndex(shows.markReady(asked, 1))).toBe(1)
  expect(shows.shownIndex(shows.markReady(shows.markBroken(waiting, 1), 2))).toBe(2)
})

test('a slide that broke off while it was shown starts again', () => {
  const show = shows.askAgain(shows.markMissing(allReady(begin(2, { endsItself: true })), 0))
  const again = shows.markReady(show, 0)
  expect([shows.shownIndex(again), again.turn]).toEqual([0, show.turn + 1])
})

test('playing again retries a broken slide', () => {
  const over = shows.next(shows.markBroken(shows.markReady(begin(2), 0), 1))
  expect([over.isOver, shows.askAgain(over).broken.size]).toEqual([true, 1])
  expect(slidesToPrepare(shows.play(over), 3)).toEqual([0, 1])
})

test('a video is over when it has ended, not when its time is', () => {
  const show = allReady(begin(2, { endsItself: true }))
  expect(shows.dueInMs(show)).toBe(null)
  expect(shows.shownIndex(shows.elapse(show, 60_000))).toBe(0)
  expect(shows.shownIndex(shows.markEnded(show, 1))).toBe(0)
  expect(shows.shownIndex(shows.markEnded(show, 0))).toBe(1)
})

test('a slide waits for its spoken caption', () => {
  const speaking = shows.setSpeaking(allReady(begin(2)), true)
  const late = shows.elapse(speaking, 9000)
  expect([shows.shownIndex(late), shows.dueInMs(late)]).toEqual([0, null])
  expect(shows.shownIndex(shows.setSpeaking(late, false))).toBe(1)
})

test('nothing moves while it is paused, frozen or turned by hand', () => {
  const show = allReady(begin(3))
  const still = [
    shows.pause(show),
    shows.setFrozen(show, 'hidden', true),
    shows.setFrozen(shows.setFrozen(show, 'sheet', true), 'finger', true),
    shows.setByHand(show, true),
  ]
  for (const one of still) {
    expect(shows.dueInMs(one)).toBe(null)
    expect(shows.shownIndex(shows.elapse(one, 60_000))).toBe(0)
    expect(shows.shownIndex(shows.next(one))).toBe(1)
  }
  const hidden = shows.setFrozen(show, 'hidden', true)
  expect(shows.dueInMs(shows.setFrozen(hidden, 'hidden', false))).toBe(1000)
})

test('speed changes when the next slide appears, not the elapsed wait', () => {
  const half = shows.elapse(allReady(begin(2)), 500)
  expect(shows.dueInMs(shows.setSpeed(half, 2))).toBe(250)
  expect(shows.setSpeed(half, 100).speed).toBe(2)
  expect(shows.setSpeed(half, Math.SQRT2).speed).toBe(1.5)
  const faster = speeds.map((speed) => speedBeside(speed, 1))
  expect(faster).toEqual([0.75, 1, 1.25, 1.5, 2, 2])
  expect(speedBeside(0.5, -1)).toBe(0.5)
})

test('the next slides are prepared first, three ahead, past the end of a looping round', () => {
  const show = allReady(begin(6))
  expect(slidesToPrepare(show, 3)).toEqual([0, 1, 2, 3])
  const last = shows.goTo(shows.setLooping(show, true), 5)
  expect(slidesToPrepare(last, 3)).toEqual([5, 0, 1, 2])
  expect(slidesToPrepare(shows.goTo(allReady(begin(6)), 4), 3)).toEqual([4, 5])
  expect(slidesToPrepare(shows.goTo(begin(6), 4), 3), 'the first has the line to itself').toEqual([
    4,
  ])
})

test('a show starts at the requested slide, shuffled or not', () => {
  const from = (startIndex: number, isShuffled: boolean) =>
    allReady(
      shows.beginShow({
        slides: slides(12),
        seed: 'seed',
        isByHand: false,
        startIndex,
        isShuffled,
      }),
    )
  expect(runThrough(from(9, false), 20)).toEqual([9, 10, 11])
  expect(shows.shownIndex(shows.previous(from(9, false)))).toBe(8)
  const mixed = runThrough(from(9, true), 20)
  expect([mixed[0], mixed.length, new Set(mixed).size]).toEqual([9, 12, 12])
  expect(mixed).not.toEqual(mixed.toSorted((one, other) => one - other))
})

test('what a viewer likes is so from the first slide on', () => {
  const liked = { isLooping: true, isShuffled: true, speed: 2 }
  const show = allReady(
    shows.beginShow({ slides: slides(8), seed: 'seed', isByHand: false, ...liked }),
  )
  expect(show).toMatchObject(liked)
  expect([shows.dueInMs(show), new Set(show.order).size]).toEqual([500, 8])
  expect(show.order).not.toEqual(slides(8).map((_, index) => index))
})

test('another pace applies to the current slide, and not to a film', () => {
  const half = shows.elapse(allReady(begin(2)), 500)
  expect(shows.dueInMs(setHolds(half, () => 3000))).toBe(2500)
  expect(shows.shownIndex(setHolds(half, () => 400))).toBe(1)
  const film = setHolds(begin(1, { endsItself: true, holdMs: 9000 }), () => 3000)
  expect(film.slides[0]?.holdMs).toBe(9000)
})

test('other slides take the place of a show’s: the one that is on stays for the rest of its time', () => {
  const show = shows.elapse(shows.next(allReady(begin(4))), 300)
  const [one, two, three] = show.slides
  const others = [{ id: 9, holdMs: 500, endsItself: false }, three, two].flatMap(
    (slide) => slide ?? [],
  )
  const changed = setSlides(show, others, [2])
  expect([shows.shownIndex(changed), changed.turn]).toEqual([2, show.turn])
  expect(shows.dueInMs(changed)).toBe(700)
  const gone = setSlides(show, one ? [one] : [], [])
  expect([shows.shownIndex(gone), slidesToPrepare(gone, 2)]).toEqual([null, [0]])
  expect(shows.markReady(gone, 0)).toMatchObject({ position: 0, turn: show.turn + 1 })
})

test('a show that is over because all its slides are broken plays on with other slides', () => {
  const over = [0, 1].reduce(shows.markBroken, shows.setLooping(begin(2), true))
  expect([over.isOver, over.isRunning]).toEqual([true, false])
  const others = [{ id: 9, holdMs: 500, endsItself: false }]
  expect(shows.dueInMs(shows.markReady(setSlides(over, others, []), 0))).toBe(500)
  const paused = setSlides(shows.pause(begin(2)), others, [0])
  expect([shows.shownIndex(paused), shows.dueInMs(paused)]).toEqual([0, null])
})

test('the time until a slide is the time of all before it', () => {
  const show = shows.elapse(allReady(begin(5)), 400)
  expect(msUntil(show, 3)).toBe(2600)
  expect(msUntil(show, 0)).toBe(null)
})

test('shuffling keeps what was shown and mixes the rest, without repeats', () => {
  const third = shows.next(shows.next(allReady(begin(40))))
  const mixed = shows.setShuffled(third, true)
  expect(mixed.order.slice(0, 3)).toEqual([0, 1, 2])
  expect(shows.shownIndex(mixed)).toBe(2)
  expect(mixed.order.slice(3)).not.toEqual(third.order.slice(3))
  expect(new Set(runThrough(mixed, 60)).size).toBe(38)
  expect(shows.setShuffled(mixed, false).order).toEqual(third.order)
})

test('after any actions, the current slide exists, and every round has all slides', () => {
  const index = fc.integer({ min: 0, max: 9 })
  const actions = fc.array(
    fc.oneof(
      fc.constantFrom(
        shows.next,
        shows.previous,
        shows.play,
        shows.pause,
        (show: Show) => shows.setShuffled(show, !show.isShuffled),
        (show: Show) => shows.setLooping(show, !show.isLooping),
        (show: Show) => shows.setByHand(show, !show.isByHand),
        (show: Show) => shows.elapse(show, 700),
      ),
      index.map((at) => (show: Show) => shows.markReady(show, at)),
      index.map((at) => (show: Show) => shows.markReleased(show, at)),
      index.map((at) => (show: Show) => shows.markBroken(show, at)),
      index.map((at) => (show: Show) => shows.markMissing(show, at)),
      fc.constant(shows.askAgain),
      index.map((at) => (show: Show) => shows.goTo(show, at)),
    ),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(actions, (chosen) => {
      let show = begin(10)
      for (const action of chosen) {
        const before = show
        show = action(show)
        const all = show.order.toSorted((one, other) => one - other)
        expect(all).toEqual(slides(10).map((_, at) => at))
        const shown = shows.shownIndex(show)
        if (show.turn !== before.turn) expect(show.broken.has(shown ?? -1)).toBe(false)
        for (const one of slidesToPrepare(show, 3)) expect(show.broken.has(one)).toBe(false)
      }
    }),
  )
})
