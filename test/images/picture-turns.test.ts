/** Turns for libvips by account, and the shared time budget of a picture. */
import { expect, test } from 'vitest'
import { hashPicture } from '../../src/server/media/perceptual-hash.ts'
import { inTurn } from '../../src/server/media/picture-turns.ts'
import {
  developPicture,
  inspectPicture,
  withPictureBudget,
} from '../../src/server/media/picture.ts'
import { inAccountScope } from '../../src/server/platform/concurrency/account-scope.ts'
import { plainJpeg } from '../support/sample-media.ts'

const pause = () => new Promise((resolve) => setTimeout(resolve, 20))

test('slow pictures of one account leave turns to others', async () => {
  const gate = Promise.withResolvers<void>()
  const begun: string[] = []
  const slow = Array.from({ length: 10 }, (_, index) =>
    inAccountScope({ account: 'ana' }, () =>
      inTurn(async () => {
        begun.push(`ana ${index}`)
        await gate.promise
      }),
    ),
  )
  await pause()
  expect(begun).toEqual(['ana 0', 'ana 1'])
  const picture = await inspectPicture(await plainJpeg())
  const hashes = await inAccountScope({ account: 'bo' }, () => hashPicture(picture))
  expect(hashes.length).toBeGreaterThan(0)
  expect(begun).toEqual(['ana 0', 'ana 1'])
  gate.resolve()
  await Promise.all(slow)
})

test('all work on a picture shares one time budget, and nothing starts after it', async () => {
  const picture = await inspectPicture(await plainJpeg())
  let steps = 0
  const step = () =>
    developPicture(picture, async (image) => {
      steps += 1
      await pause()
      return image.resize(10).toBuffer()
    })
  const tooLong = withPictureBudget(
    async () => {
      await step()
      await step()
      await step()
    },
    { budgetMs: 10 },
  )
  await expect(tooLong).rejects.toMatchObject({ name: 'UnfitPicture', reason: 'too-slow' })
  expect(steps).toBe(1)
})

test('a picture over its budget fails even if the caller ignores the rest', async () => {
  const picture = await inspectPicture(await plainJpeg())
  const lenient = withPictureBudget(() => developPicture(picture, pause).catch(() => null), {
    budgetMs: 1,
  })
  await expect(lenient).rejects.toMatchObject({ reason: 'too-slow' })
  expect(await withPictureBudget(() => hashPicture(picture))).not.toEqual([])
})

test('waiting for a turn does not use up the budget', async () => {
  const gate = Promise.withResolvers<void>()
  const holding = ['a', 'b', 'c'].map((account) =>
    inAccountScope({ account }, () => inTurn(() => gate.promise)),
  )
  const picture = await inspectPicture(await plainJpeg())
  const waiting = inAccountScope({ account: 'd' }, () =>
    withPictureBudget(() => developPicture(picture, (image) => image.resize(10).toBuffer()), {
      budgetMs: 15_000,
    }),
  )
  await pause()
  gate.resolve()
  await Promise.all(holding)
  expect((await waiting).length).toBeGreaterThan(0)
})
