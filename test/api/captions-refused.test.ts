/** Captions that are refused: by the provider, because of the picture, or by a limit (contract 4.3). */
import { describe, expect, test } from 'vitest'
import { sharp } from '../../src/server/media/libvips.ts'
import { completion, plainCaption, policyRefusal } from '../support/caption-server.ts'
import type { CaptionWorld } from '../support/caption-world.ts'
import { animation, createCaptionWorld, dataUrl, paint } from '../support/caption-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: CaptionWorld
let ana: Person
let bo: Person

useWorld(createCaptionWorld, async (fresh) => {
  world = fresh
  ;[ana, bo] = [await world.as('ana'), await world.as('bo')]
})

type Body = Parameters<Person['captions']['generate']>[0]['body']

const generate = (person: Person, body: Body, headers: Record<string, string> = {}) =>
  person.captions.generate({ body, headers })

describe('a provider that refuses', () => {
  test('is asked three times, 400 ms apart, and the last tries ask for less', async () => {
    world.server.always(policyRefusal)
    const failure = await refused(generate(ana, { media_url: await dataUrl(1) }))
    expect(failure).toMatchObject({
      status: 422,
      body: { error: 'The content was refused', code: 'CONTENT_POLICY' },
    })
    expect(world.server.asked).toHaveLength(3)
    expect(world.pauses).toEqual([400, 400])
    expect(world.server.asked.map(({ user }) => user.includes('The last try was refused'))).toEqual(
      [false, true, true],
    )
    expect(new Set(world.server.asked.map(({ system }) => system)).size).toBe(1)
  })

  test.each([
    ['a filtered answer', completion({ content: '' }, 'content_filter')],
    ['a refusal', completion({ content: null, refusal: 'No.' })],
    ['a spoken refusal', completion({ content: 'I’m sorry, but I can’t help with that.' })],
  ])('by %s may be persuaded', async (_, body) => {
    world.server.reply({ body }, { body })
    expect(await generate(ana, { media_url: await dataUrl(1) })).toEqual({ caption: plainCaption })
    expect(world.server.asked).toHaveLength(3)
  })

  test('because of a minor is asked once, and never again about that picture', async () => {
    world.server.reply('REFUSED-MINOR')
    const body = { media_url: await dataUrl(1), post_title: 'A' }
    const final = { status: 422, body: { code: 'CONTENT_POLICY' } }
    expect(await refused(generate(ana, body))).toMatchObject(final)
    expect(await refused(generate(bo, { ...body, subfeed: 'deepsky' }))).toMatchObject(final)
    await world.grant(ana, 100)
    const manual = { image: body.media_url, context: { index: 0, total: 1 } }
    expect(await refused(ana.captions.generateManual({ body: manual }))).toMatchObject(final)
    expect(world.server.asked).toHaveLength(1)
    expect(world.pauses).toEqual([])
    await generate(ana, { ...body, media_url: await dataUrl(2) })
  })
})

test('a model that does not accept pictures is recognised and named', async () => {
  world.server.always({
    status: 400,
    body: {
      error: {
        message: 'Invalid content type. image_url is only supported by certain models.',
        type: 'invalid_request_error',
        param: 'messages.[1].content.[1].type',
        code: null,
      },
    },
  })
  const failure = await refused(generate(ana, { media_url: await dataUrl(1) }))
  expect([failure.status, failure.body]).toEqual([
    422,
    {
      error: 'The caption model does not take pictures',
      code: 'MODEL_IMAGE_UNSUPPORTED',
      modelId: 'test-model',
    },
  ])
  expect(world.server.asked).toHaveLength(1)
})

test('a parameter that the model refuses is left out afterwards', async () => {
  const unsupported = (param: string) => ({
    status: 400,
    body: {
      error: {
        message: `Unsupported parameter: '${param}' is not supported with this model.`,
        type: 'invalid_request_error',
        param,
        code: 'unsupported_parameter',
      },
    },
  })
  world.server.reply(unsupported('max_tokens'), unsupported('temperature'))
  await generate(ana, { media_url: await dataUrl(1) })
  await generate(ana, { media_url: await dataUrl(2) })
  const sent = world.server.asked.map(({ body }) => Object.keys(body).toSorted())
  expect(sent.at(-1)).toEqual(['messages', 'model'])
  expect(world.pauses).toEqual([])
})

describe('a picture is refused', () => {
  const refusedPicture = async (media_url: string) => {
    const { status, body } = await refused(generate(ana, { media_url }))
    expect(world.server.asked).toEqual([])
    return { status, body }
  }
  const put = (path: string, type: string, bytes: Buffer) => {
    world.site.put(path, { type, bytes })
    return world.site.url(path)
  }
  const animated = {
    status: 415,
    body: {
      error: 'Media type not supported',
      code: 'MEDIA_TYPE_NOT_SUPPORTED',
      message: 'Animated pictures are not supported',
    },
  }

  test('if it is animated, whatever type it declares', async () => {
    const [gif, webp] = [await animation('gif'), await animation('webp')]
    expect(await refusedPicture(put('/a.gif', 'image/gif', gif))).toEqual(animated)
    expect(world.site.requests).toEqual(['HEAD /a.gif'])
    expect(await refusedPicture(put('/a.jpg', 'image/jpeg', gif))).toEqual(animated)
    expect(await refusedPicture(put('/a.webp', 'image/webp', webp))).toEqual(animated)
    expect(
      await refusedPicture(`data:image/png;base64,${(await apng()).toString('base64')}`),
    ).toEqual(animated)
  })

  test('if it is not JPEG, PNG or WebP, by its declared type and by its bytes', async () => {
    const unsupported = { status: 415, body: { code: 'MEDIA_TYPE_NOT_SUPPORTED' } }
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    expect(await refusedPicture(put('/a.html', 'text/html', svg))).toMatchObject(unsupported)
    expect(world.site.requests).toEqual(['HEAD /a.html'])
    expect(await refusedPicture(put('/a.png', 'image/png', svg))).toMatchObject(unsupported)
    const broken = (await paint(1)).subarray(0, 100)
    expect(await refusedPicture(put('/b.jpg', 'image/jpeg', broken))).toMatchObject(unsupported)
  })

  test('if it has more than 20 MB, declared or not, in a data URL and in the whole body', async () => {
    const tooLarge = {
      status: 413,
      body: { error: 'File too large', code: 'FILE_TOO_LARGE' },
    }
    const large = Buffer.concat([await paint(1), Buffer.alloc(21 * 1_048_576)])
    expect(await refusedPicture(put('/large.jpg', 'image/jpeg', large))).toMatchObject(tooLarge)
    expect(world.site.requests).toEqual(['HEAD /large.jpg'])
    world.site.put('/silent.jpg', { type: 'image/jpeg', bytes: large, isSilent: true })
    expect(await refusedPicture(world.site.url('/silent.jpg'))).toMatchObject(tooLarge)
    const inside = `data:image/jpeg;base64,${large.subarray(0, 20 * 1_048_576 + 3).toString('base64')}`
    expect(await refusedPicture(inside)).toMatchObject(tooLarge)
    expect(await refusedPicture(`data:image/jpeg;base64,${'A'.repeat(29 * 1_048_576)}`)).toEqual({
      status: 413,
      body: { error: 'File too large', code: 'FILE_TOO_LARGE', message: 'The body is too large' },
    })
  })

  test('if its address is private', async () => {
    for (const url of [
      'http://127.0.0.1:1/a.jpg',
      'http://169.254.169.254/a',
      'http://[::1]/a.jpg',
    ])
      expect(await refusedPicture(url)).toEqual({
        status: 400,
        body: { error: 'Image URL host is not allowed' },
      })
  })

  test('if there is no picture', async () => {
    for (const url of [world.site.url('/nothing'), '/media/user-media/x?s=y', 'data:,hello'])
      expect(await refusedPicture(url)).toMatchObject({
        status: 400,
        body: {
          message: 'Validation failed: media_url must be the address of a picture that can be read',
        },
      })
    expect((await refusedPicture('ftp://x.example/a.jpg')).status).toBe(400)
  })
})

test('an account can have a hundred and twenty in a quarter of an hour', async () => {
  const limited = await createCaptionWorld({ settings: { RATE_LIMIT_CAPTIONS: '2/900' } })
  const [cy, di] = [await limited.as('cy'), await limited.as('di')]
  const body = { media_url: await dataUrl(1) }
  await cy.captions.generate({ body })
  await cy.captions.generate({ body })
  const refusal = await refused(cy.captions.generate({ body }))
  expect(refusal.status).toBe(429)
  expect(refusal.headers.get('x-ratelimit-limit')).toBe('2')
  await di.captions.generate({ body })
  await limited.close()
})

/** A PNG of one pixel that announces two frames. */
async function apng(): Promise<Buffer> {
  const still = await sharp({
    create: { width: 1, height: 1, channels: 3, background: '#fff' },
  })
    .png()
    .toBuffer()
  const chunk = Buffer.alloc(20)
  chunk.writeUInt32BE(8, 0)
  chunk.write('acTL', 4, 'latin1')
  chunk.writeUInt32BE(2, 8)
  const { crc32 } = await import('node:zlib')
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 16)), 16)
  return Buffer.concat([still.subarray(0, 33), chunk, still.subarray(33)])
}
