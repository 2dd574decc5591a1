/**
 * A session that grows while its pictures arrive: when it counts as ready, how often the page polls, and
 * the order of slides.
 */
import { expect, test } from 'vitest'
import { ApiProblem } from '../../src/client/client.ts'
import { type Grown, growSession, type Growth } from '../../src/web/uploads/growing-session.ts'

test('it is there with the first three, and five hundred more cost few requests', async () => {
  const stage = openStage(500)
  for (let index = 0; index < 500; index += 1) {
    stage.growing.stored(index + 1, index)
    if (index === 2) {
      await settled()
      expect(stage.growth()?.session?.slideIds).toHaveLength(3)
    }
    if (index % 3 === 2) await settled()
  }
  await settled()
  expect(stage.growth()).toMatchObject({ isWhole: true, failure: null })
  expect(stage.shown()).toEqual(Array.from({ length: 500 }, (_, index) => index + 1))
  expect(stage.requests()).toBeLessThan(20)
})

test('pictures that arrive out of order are sorted, and a missing one delays no other', async () => {
  const stage = openStage(6)
  for (const index of [4, 2, 5, 0, 3]) {
    stage.growing.stored(index + 1, index)
    await settled()
  }
  stage.growing.givenUp(1)
  await settled()
  expect(stage.shown()).toEqual([1, 3, 4, 5, 6])
  stage.growing.stored(2, 1)
  await settled()
  expect(stage.shown()).toEqual([1, 2, 3, 4, 5, 6])
})

test('a single slow picture does not keep the session waiting', async () => {
  const stage = openStage(50)
  stage.growing.stored(1, 0)
  await settled()
  expect(stage.growth()?.session).toBe(null)
  stage.passTimers()
  await settled()
  expect(stage.shown()).toEqual([1])
})

test('the owner’s changes in the meantime stay, and the other pictures follow', async () => {
  const stage = openStage(5)
  for (const index of [0, 1, 2]) stage.growing.stored(index + 1, index)
  await settled()
  stage.edit((slides) => slides.toReversed().slice(0, 2))
  for (const index of [3, 4]) stage.growing.stored(index + 1, index)
  await settled()
  expect(stage.shown()).toEqual([3, 2, 4, 5])
})

test('a refusal is waited out; one that stays is said, and tried again by hand', async () => {
  const stage = openStage(1)
  stage.refuse(429)
  stage.growing.stored(1, 0)
  await settled()
  expect([stage.growth()?.failure, stage.growth()?.isWhole]).toEqual([null, false])
  stage.refuse(400)
  stage.passTimers()
  await settled()
  expect(stage.growth()?.failure).toBe('refused 400')
  stage.refuse(null)
  stage.growing.retry()
  await settled()
  expect([stage.shown(), stage.growth()?.isWhole]).toEqual([[1], true])
})

type Shown = { readonly id: number; readonly mediaId: number }

/** Returns a server with one session, which counts requests. */
function openStage(total: number) {
  let slides: readonly Shown[] = []
  let version = 0
  let lastId = 100
  let requests = 0
  let refusal: number | null = null
  let timers: (() => void)[] = []
  let growth: Growth | null = null

  const answer = (): Grown => ({
    id: 7,
    updatedAt: String(version),
    slideIds: slides.map(({ id }) => id),
  })
  const ask = () => {
    requests += 1
    if (refusal !== null) throw problem(refusal)
  }
  const made = (mediaId: number): Shown => {
    lastId += 1
    return { id: lastId, mediaId }
  }
  const growing = growSession(total, {
    async make(mediaIds) {
      ask()
      slides = mediaIds.map(made)
      version += 1
      return answer()
    },
    async replace({ updatedAt }, sent) {
      ask()
      if (updatedAt !== String(version)) throw problem(412)
      slides = sent.map((one) =>
        'id' in one ? slides.find(({ id }) => id === one.id)! : made(one.mediaId),
      )
      version += 1
      return answer()
    },
    read: async () => answer(),
    setTimer(run) {
      timers.push(run)
      return () => {}
    },
    explain: (error) => `refused ${error instanceof ApiProblem ? error.status : ''}`,
    onChange: (now) => {
      growth = now
    },
  })
  return {
    growing,
    growth: (): Growth | null => growth,
    requests: () => requests,
    shown: () => slides.map(({ mediaId }) => mediaId),
    refuse: (status: number | null) => {
      refusal = status
    },
    edit(change: (slides: readonly Shown[]) => readonly Shown[]) {
      slides = change(slides)
      version += 1
    },
    passTimers() {
      const due = timers
      timers = []
      for (const run of due) run()
    },
  }
}

function problem(status: number) {
  return new ApiProblem({ status, headers: new Headers({ 'retry-after': '1' }), body: {} })
}

async function settled() {
  for (let turn = 0; turn < 60; turn += 1) await Promise.resolve()
}
