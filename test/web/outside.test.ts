/** What the player asks of the browser: voice, screen and media keys, each behind its adapter. */
import { expect, test } from 'vitest'
import { createMediaKeys } from '../../src/web/features/player/outside/media-keys.ts'
import { createNetwork } from '../../src/web/features/player/outside/network.ts'
import {
  firstPreferences,
  keepPreferences,
  readPreferences,
} from '../../src/web/features/player/outside/preferences.ts'
import { createSpeech } from '../../src/web/features/player/outside/speech.ts'
import { createWakeLock } from '../../src/web/features/player/outside/wake-lock.ts'
import { createStorage } from '../support/web-storage.ts'

/** A voice that says when it is spoken to, and finishes when told. */
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
  return { said, finish, speech: createSpeech(synthesis, utter) }
}

test.each(['end', 'error'])('a caption is spoken, and its %s is told once', (event) => {
  const { said, finish, speech } = createVoice()
  let over = 0
  speech.speak('Look at the sea.', () => (over += 1))
  expect([said, over]).toEqual([['cancel', 'speak Look at the sea.'], 0])
  finish(event)
  finish('end')
  expect(over).toBe(1)
})

test('the next caption cuts the last one off, and both are over once', () => {
  const { finish, speech } = createVoice()
  const over: string[] = []
  speech.speak('one', () => over.push('one'))
  speech.speak('two', () => over.push('two'))
  expect(over).toEqual(['one'])
  finish('end')
  speech.stop()
  expect(over).toEqual(['one', 'two'])
})

test('without a voice nothing waits for it', () => {
  // A parameter that is undefined would take its default, which Node has not got either.
  const speech = createSpeech(undefined)
  let isOver = false
  speech.speak('silence', () => (isOver = true))
  expect([speech.isAvailable, isOver]).toEqual([false, true])
})

function createScreen() {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' as const })
  const log: string[] = []
  const locks = {
    request: async () => {
      log.push('on')
      return { release: async () => void log.push('off') }
    },
  }
  const show = (visibilityState: 'visible' | 'hidden') => {
    Object.assign(page, { visibilityState })
    page.dispatchEvent(new Event('visibilitychange'))
  }
  return { page, log, locks, show }
}

const settled = () => new Promise((resolve) => setTimeout(resolve))

test('the screen stays on while the show runs, and again when the page comes back', async () => {
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
  keys.tell({ title: 'Evenings', isPlaying: true })
  expect([session.metadata?.title, session.playbackState]).toEqual(['Evenings', 'playing'])
  keys.tell({ title: null, isPlaying: false })
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
  for (const kept of ['{"hasDrift":"yes","other":true}', '[]', 'null', '{']) {
    cache.setItem('lanternist:player', kept)
    expect(readPreferences(() => cache)).toEqual(firstPreferences)
  }
  const closed = () => {
    throw new Error('storage is switched off')
  }
  keepPreferences(firstPreferences, closed)
  expect(readPreferences(closed)).toEqual(firstPreferences)
})

test('a site that is not reached is asked for again as soon as the browser is online', async () => {
  const bell = new EventTarget()
  const browser = { onLine: true }
  let isSiteUp = true
  let back = 0
  const ask = () => (isSiteUp ? Promise.resolve() : Promise.reject(new TypeError('no way')))
  const network = createNetwork(() => (back += 1), browser, bell, ask)
  expect([await network.isReached(), back]).toEqual([true, 0])
  browser.onLine = false
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
  await settled()
  expect(back).toBe(1)
})
