/** A world whose providers behave as a test configures, and users who have accepted the policy. */
import type { Quality, ProviderName } from '../../src/contract/enhancement.ts'
import type { DatabaseHandle } from '../../src/server/database/database.ts'
import { findUnbalanced } from '../../src/server/features/credits/ledger/queries.ts'
import { createEnhancers } from '../../src/server/features/enhancement/create-enhancers.ts'
import type { Enhancer, Enhancers } from '../../src/server/features/enhancement/enhancer.ts'
import {
  enlargement,
  ProviderUnavailable,
  UnsafePicture,
} from '../../src/server/features/enhancement/enhancer.ts'
import { finishPicture } from '../../src/server/features/enhancement/frame.ts'
import { sharp } from '../../src/server/media/libvips.ts'
import type { Person, World } from './world.ts'
import { createWorld } from './world.ts'

export type Behaviour =
  | 'works'
  | 'fails'
  | 'hangs'
  | 'gives nothing'
  | 'gives an empty file'
  | 'gives no picture'
  | 'gives another size'
  | 'is unavailable'
  | 'is away'
  | 'refuses the picture'

export type EnhancementWorld = World & {
  /** Sets the behaviour of each provider. */
  readonly behave: (behaviour: Partial<Record<ProviderName, Behaviour>>) => void
  readonly budgetMs: Record<Quality, number>
  /** The called providers, in order. */
  readonly asked: ProviderName[]
  /** Returns a user with credits who has accepted the policy. */
  readonly enhancer: (name: string, credits?: number) => Promise<Person>
  readonly idOf: (name: string) => Promise<string>
  /** Makes calls to the providers wait until `release`. */
  readonly holdProviders: () => { entered: () => number; release: () => void }
  readonly records: (name: string) => Promise<Generation[]>
  /** Returns the movements of an account after its welcome credits, and checks the ledger's rules. */
  readonly movements: (name: string) => Promise<Movement[]>
}

export type Generation = Awaited<ReturnType<typeof readGenerations>>[number]
export type Movement = { type: string; amount: number; refundOf: number | null; id: number }

export async function createEnhancementWorld(
  settings: Record<string, string> = {},
  options: { database?: DatabaseHandle; real?: boolean; webFolder?: string } = {},
): Promise<EnhancementWorld> {
  const state = createState()
  const real = createEnhancers()
  const enhancers: Enhancers = {
    ...real,
    providers: {
      provider_a: fakeProvider('provider_a', state),
      provider_b: fakeProvider('provider_b', state),
    },
    budgetMs: state.budgetMs,
    stopGraceMs: 200,
  }
  const { database, webFolder } = options
  const world = await createWorld(settings, {
    enhancers: options.real ? real : enhancers,
    ...(database && { database }),
    ...(webFolder !== undefined && { webFolder }),
  })
  const idOf = async (name: string) => {
    const { id } = await world.ctx.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', `${name}@example.test`)
      .executeTakeFirstOrThrow()
    return id
  }
  return {
    ...world,
    budgetMs: state.budgetMs,
    asked: state.asked,
    idOf,
    behave: (behaviour) => Object.assign(state.behaviour, behaviour),
    holdProviders: () => holdProviders(state),
    async reset() {
      resetState(state)
      await world.reset()
    },
    async enhancer(name, credits = 1000) {
      const person = await world.as(name)
      if (credits > 0) await grant(world, await idOf(name), credits)
      await person.enhancement.giveConsent({ body: { version: 1 } })
      return person
    },
    records: async (name) => readGenerations(world, await idOf(name)),
    async movements(name) {
      const userId = await idOf(name)
      if ((await findUnbalanced(world.ctx)).length > 0) throw new Error('the ledger is unbalanced')
      return world.ctx.db
        .selectFrom('credit_transactions')
        .select(['id', 'type', 'amount', 'refund_of as refundOf'])
        .where('user_id', '=', userId)
        .where('type', 'in', ['spend', 'refund'])
        .orderBy('id')
        .execute()
    },
  }
}

type State = {
  readonly behaviour: Record<ProviderName, Behaviour>
  readonly budgetMs: Record<Quality, number>
  readonly asked: ProviderName[]
  held: Promise<void> | null
  entered: number
}

/** Creates a picture for a form: noise that differs by seed. */
export async function pictureFile(
  options: {
    width?: number
    height?: number
    format?: 'jpeg' | 'png' | 'webp'
    seed?: number
  } = {},
): Promise<Blob> {
  const { width = 40, height = 30, format = 'png', seed = 1 } = options
  const pixels = Buffer.alloc(width * height * 3)
  for (let index = 0; index < pixels.length; index++) pixels[index] = (index * seed * 37) % 256
  const image = sharp(pixels, { raw: { width, height, channels: 3 } })
  return fileOf(await image[format]().toBuffer(), `image/${format}`)
}

export function fileOf(bytes: Uint8Array, type: string): Blob {
  return new Blob([new Uint8Array(bytes)], { type })
}

function createState(): State {
  return {
    behaviour: { provider_a: 'works', provider_b: 'works' },
    budgetMs: { low: 30_000, high: 30_000 },
    asked: [],
    held: null,
    entered: 0,
  }
}

function resetState(state: State): void {
  Object.assign(state, { held: null, entered: 0 })
  Object.assign(state.behaviour, createState().behaviour)
  Object.assign(state.budgetMs, createState().budgetMs)
  state.asked.length = 0
}

function holdProviders(state: State) {
  const { promise, resolve } = Promise.withResolvers<void>()
  state.held = promise
  state.entered = 0
  return {
    entered: () => state.entered,
    release: () => {
      state.held = null
      resolve()
    },
  }
}

function fakeProvider(name: ProviderName, state: State): Enhancer {
  return {
    isAvailable: () => state.behaviour[name] !== 'is away',
    async enhance(frame, { signal }) {
      state.asked.push(name)
      state.entered += 1
      await state.held
      const larger = () =>
        sharp(frame.bytes).resize(frame.width * enlargement, frame.height * enlargement)
      switch (state.behaviour[name]) {
        case 'works':
        case 'is away':
          return finishPicture(larger(), frame, enlargement)
        case 'fails':
          throw new Error('the provider broke')
        case 'hangs':
          // Ignores the signal, like a provider that hangs.
          return new Promise(() => void signal)
        case 'gives nothing':
          return null
        case 'gives an empty file':
          return new Uint8Array()
        case 'gives no picture':
          return Buffer.from('<html>')
        case 'gives another size':
          return sharp(frame.bytes).png().toBuffer()
        case 'is unavailable':
          throw new ProviderUnavailable('not for this picture')
        case 'refuses the picture':
          throw new UnsafePicture('not this picture')
      }
    },
  }
}

async function grant(world: World, id: string, amount: number): Promise<void> {
  const admin = world.visitor()
  await admin.accounts.devSignIn()
  await admin.credits.grant({ params: { id }, body: { amount, reason: 'For tests' } })
}

function readGenerations(world: World, userId: string) {
  return world.ctx.db
    .selectFrom('enhancement_generations')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
}
