/** The player's use of the browser: voice, screen and media keys, each through its adapter. */
import { expect, test, vi } from 'vitest'
import { createMediaKeys } from '../../src/web/features/player/outside/media-keys.ts'
import { keepLastSlide, readLastSlide } from '../../src/web/features/player/outside/last-slide.ts'
import { createNetwork } from '../../src/web/features/player/outside/network.ts'
import {
  firstPreferences,
  keepPreferences,
  readPreferences,
} from '../../src/web/features/player/outside/preferences.ts'
import { createSpeech } from '../../src/web/features/player/outside/speech.ts'
import { createWakeLock } from '../../src/web/features/player/outside/wake-lock.ts'
import { createStorage } from '../support/web-storage.ts'

/** Returns a voice that records what it speaks, and finishes on request. */
function createVoice() {
  const said: string[] = []
  const utterances: EventTarget[] = []
  const synthesis = {
    speak: (utterance: object) => void said.push(`speak ${Reflect.get(utterance, 'text')}`),
    cancel: () => void said.push('cancel'),
    pause: () => void said.push('pause'),
    resume: () => void said.push('resume'),
  }
  const utter = (text: string) => {
    const utterance = Object.assign(new EventTarget(), { text })
    utterances.push(utterance)
    return utterance as unknown as SpeechSynthesisUtterance
  }
  const finish = (event: string) => utterances.at(-1)?.dispatchEvent(new Event(event))
  const reach = (charIndex: number) =>
    utterances.at(-1)?.dispatchEvent(Object.assign(new Event('boundary'), { charIndex }))
  return { said, finish, reach, speech: createSpeech(synthesis, utter) }
}

test.each(['end', 'error'])('a caption is spoken, and its %s is reported once', (event) => {
  const { said, finish, speech } = createVoice()
  let over = 0
  speech.speak('Look at the sea.', firstPreferences, () => (over += 1))
  expect([said, over]).toEqual([['cancel', 'speak Look at the sea.'], 0])
  finish(event)
  finish('end')
  expect(over).toBe(1)
})

test('the next caption cuts the last one off, and both are over once', () => {
  const { finish, speech } = createVoice()
  const over: string[] = []
  speech.speak('one', firstPreferences, () => over.push('one'))
  speech.speak('two', firstPreferences, () => over.push('two'))
  expect(over).toEqual(['one'])
  finish('end')
  speech.stop()
  expect(over).toEqual(['one', 'two'])
})

test('a voice that is paused is over only once it has gone on', () => {
  const { said, finish, speech } = createVoice()
  let over = 0
  speech.speak('Look at the sea.', firstPreferences, () => (over += 1))
  speech.pause()
  speech.pause()
  speech.resume()
  speech.resume()
  expect([said.slice(2), over]).toEqual([['pause', 'resume'], 0])
  finish('end')
  expect(over).toBe(1)
  speech.pause()
  expect(said.length).toBe(4)
})

test('a voice that a browser ends while it is paused says the rest when it goes on', () => {
  const { said, finish, reach, speech } = createVoice()
  let over = 0
  speech.speak('Look at the sea.', firstPreferences, () => (over += 1))
  reach(8)
  speech.pause()
  finish('end')
  expect(over).toBe(0)
  speech.resume()
  expect(said.at(-1)).toBe('speak the sea.')
  finish('end')
  expect(over).toBe(1)
})

test('what is said after a stop is not held up by an earlier pause', () => {
  const { said, speech } = createVoice()
  speech.speak('one', firstPreferences, () => {})
  speech.pause()
  speech.stop()
  expect(said.slice(-2)).toEqual(['cancel', 'resume'])
})

test('without a voice nothing waits for it', () => {
  // An undefined parameter would get its default, which Node does not have either.
  const speech = createSpeech(undefined)
  let isOver = false
  speech.speak('silence', firstPreferences, () => (isOver = true))
  expect([speech.isAvailable, isOver]).toEqual([false, true])
})

function createScreen() {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' as const })
  const log: string[] = []
  const locks = {
    request: async () => {
      log.push('on')
      return Object.assign(new EventTarget(), { release: async () => void log.push('off') })
    },
  }
  const show = (visibilityState: 'visible' | 'hidden') => {
    Object.assign(page, { visibilityState })
    page.dispatchEvent(new Event('visibilitychange'))
  }
  return { page, log, locks, show }
}

const settled = () => new Promise((resolve) => setTimeout(resolve))

test('the screen stays on while the show runs, also after returning to the page', async () => {
  const { page, log, locks, show } = createScreen()
  const wakeLock = createWakeLock(locks, page)
  wakeLock.setOn(true)
  wakeLock.setOn(true)
  show('hidden')
  await settled()
  show('visible')
  await settled()
  wakeLock.setOn(false)
  await settled()
  show('visible')
  wakeLock.close()
  expect(log).toEqual(['on', 'off', 'on', 'off'])
})

test('a lock that a browser refuses or takes back is asked for again', async () => {
  vi.useFakeTimers()
  try {
    const { page } = createScreen()
    const locks: EventTarget[] = []
    let isRefused = true
    const request = async () => {
      if (isRefused) throw new Error('battery low')
      const lock = Object.assign(new EventTarget(), { release: async () => {} })
      locks.push(lock)
      return lock
    }
    const wakeLock = createWakeLock({ request }, page)
    wakeLock.setOn(true)
    await vi.advanceTimersByTimeAsync(0)
    isRefused = false
    await vi.advanceTimersByTimeAsync(60_000)
    expect(locks).toHaveLength(1)
    locks[0]?.dispatchEvent(new Event('release'))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(locks).toHaveLength(2)
    wakeLock.setOn(false)
    locks[1]?.dispatchEvent(new Event('release'))
    await vi.advanceTimersByTimeAsync(600_000)
    wakeLock.close()
    expect(locks).toHaveLength(2)
  } finally {
    vi.useRealTimers()
  }
})

test('a screen that may not stay on does not stop the show', async () => {
  const { page } = createScreen()
  const refusing = { request: () => Promise.reject(new Error('battery low')) }
  const wakeLock = createWakeLock(refusing, page)
  wakeLock.setOn(true)
  await settled()
  wakeLock.close()
})

test('media keys play, pause and skip, and say nothing of what plays once it is dark', () => {
  const handlers = new Map<string, MediaSessionActionHandler | null>()
  const session = {
    metadata: null as MediaMetadata | null,
    playbackState: 'none' as MediaSessionPlaybackState,
    setActionHandler: (name: string, run: MediaSessionActionHandler | null) =>
      void handlers.set(name, run),
  }
  const done: string[] = []
  const command = (name: string) => () => void done.push(name)
  const commands = {
    play: command('play'),
    pause: command('pause'),
    next: command('next'),
    previous: command('previous'),
  }
  const describe = (title: string) => ({ title }) as MediaMetadata
  const keys = createMediaKeys(commands, session, describe)
  for (const name of ['play', 'pause', 'nexttrack', 'previoustrack'] as const) {
    handlers.get(name)?.({ action: name })
  }
  expect(done).toEqual(['play', 'pause', 'next', 'previous'])
  keys.update({ title: 'Evenings', isPlaying: true })
  expect([session.metadata?.title, session.playbackState]).toEqual(['Evenings', 'playing'])
  keys.update({ title: null, isPlaying: false })
  expect([session.metadata, session.playbackState]).toEqual([null, 'none'])
  keys.close()
  expect([...handlers.values()]).toEqual([null, null, null, null])
})

test('choices are kept, and what is kept wrongly or not at all is as usual', () => {
  const cache = createStorage()
  keepPreferences({ ...firstPreferences, hasDrift: true, isMuted: true }, () => cache)
  expect(readPreferences(() => cache)).toEqual({
    ...firstPreferences,
    hasDrift: true,
    isMuted: true,
  })
  const chosen = { speed: 2, volume: 0.4, captionSize: 'large', captionPlace: 'top' } as const
  const order = { isLooping: true, isShuffled: true }
  keepPreferences({ ...firstPreferences, ...chosen, ...order }, () => cache)
  expect(readPreferences(() => cache)).toMatchObject({ ...chosen, ...order })
  const wrong =
    '{"speed":1.41,"voiceRate":9,"voice":1,"volume":2,"captionSize":"huge","captionPlace":4,"isLooping":1}'
  for (const kept of ['{"hasDrift":"yes","other":true}', wrong, '[]', 'null', '{']) {
    cache.setItem('lanternist:player', kept)
    expect(readPreferences(() => cache)).toEqual(firstPreferences)
  }
  const closed = () => {
    throw new Error('storage is switched off')
  }
  keepPreferences(firstPreferences, closed)
  expect(readPreferences(closed)).toEqual(firstPreferences)
})

test('where sessions stopped is kept for a month, for the latest sixty of them', () => {
  const cache = createStorage()
  const dayMs = 24 * 60 * 60 * 1000
  const keep = (seed: string, slideId: number | null, atMs: number) =>
    keepLastSlide(
      seed,
      slideId,
      () => cache,
      () => atMs,
    )
  const read = (seed: string, atMs: number) =>
    readLastSlide(
      seed,
      () => cache,
      () => atMs,
    )
  keep('session 1', 7, 0)
  expect([read('session 1', 29 * dayMs), read('session 1', 31 * dayMs)]).toEqual([7, null])
  expect(read('session 2', 0)).toBe(null)
  for (let session = 2; session <= 61; session += 1) keep(`session ${session}`, 3, session)
  expect([read('session 1', 99), read('session 2', 99)]).toEqual([null, 3])
  keep('session 2', null, 99)
  expect(read('session 2', 99)).toBe(null)
  for (const kept of ['{"session 3":"x"}', '[]', 'null', '{']) {
    cache.setItem('lanternist:places', kept)
    expect(read('session 3', 99)).toBe(null)
  }
})

test('a site that is not reached is asked for again as soon as the browser is online', async () => {
  const bell = new EventTarget()
  const browser = { onLine: true }
  let isSiteUp = true
  let lost = 0
  let back = 0
  const ask = () => Promise.resolve(isSiteUp)
  const network = createNetwork(
    { lost: () => (lost += 1), back: () => (back += 1) },
    browser,
    bell,
    ask,
  )
  expect([await network.isReached(), back]).toEqual([true, 0])
  browser.onLine = false
  bell.dispatchEvent(new Event('offline'))
  expect(lost).toBe(1)
  expect([await network.isReached(), back]).toEqual([false, 0])
  browser.onLine = true
  isSiteUp = false
  bell.dispatchEvent(new Event('online'))
  await settled()
  expect(back).toBe(0)
  isSiteUp = true
  expect([await network.isReached(), back]).toEqual([true, 1])
  network.close()
  bell.dispatchEvent(new Event('online'))
  bell.dispatchEvent(new Event('offline'))
  await settled()
  expect([lost, back]).toEqual([1, 1])
})

test('a site that is away is asked soon, then less and less often', async () => {
  vi.useFakeTimers({ now: 0 })
  try {
    const bell = new EventTarget()
    const asked: number[] = []
    let backAt = 0
    const ask = () => {
      asked.push(Date.now())
      return Promise.resolve(Date.now() >= 60_000)
    }
    const changes = { lost: () => {}, back: () => (backAt = Date.now()) }
    const network = createNetwork(changes, { onLine: true }, bell, ask)
    bell.dispatchEvent(new Event('online'))
    await vi.advanceTimersByTimeAsync(90_000)
    const pauses = asked.slice(1).map((at, before) => at - (asked[before] ?? 0))
    // Half of each pause is random, so that not all players poll at the same moment.
    const longest = [500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]
    longest.slice(0, pauses.length).forEach((ms, at) => {
      expect(pauses[at]).toBeLessThanOrEqual(ms)
      expect(pauses[at]).toBeGreaterThanOrEqual(ms / 2)
    })
    expect(pauses.length).toBeLessThan(14)
    expect(backAt).toBe(asked.at(-1))
    network.close()
  } finally {
    vi.useRealTimers()
  }
})
