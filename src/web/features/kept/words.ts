/** The texts of storing sessions on a device. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('kept', {
  keepHere: 'Keep on this device',
  keepTitle: 'Keep “{title}” on this device',
  introduction:
    'Its pictures and films are kept on this device, so that it plays without a network. They go when you sign out.',
  keep: 'Keep it',
  keepAgain: 'Fetch it again',
  keeping: 'Being kept',
  progress: { one: '{done} of {count} file, {size}', other: '{done} of {count} files, {size}' },
  isKept: 'It plays without a network, and takes {size} on this device.',
  missing: {
    one: '{count} slide could not be kept, and is passed over without a network.',
    other: '{count} slides could not be kept, and are passed over without a network.',
  },
  roomLeft: 'There is room for {size} more.',
  refused: {
    unsupported: 'This browser cannot keep it. In a private window nothing can be kept.',
    nothing: 'None of its pictures can be kept.',
    away: 'The connection was lost before everything had arrived, so nothing was kept. Try again.',
    full: 'There is no room for it on this device, so nothing was kept. Remove something first.',
    large: 'It is larger than the gigabyte that can be kept of one session, so nothing was kept.',
  },
  remove: 'Remove from this device',
  removeTitle: 'Remove “{title}” from this device',
  keptHere: 'Kept on this device',
  nothingKept:
    'Nothing is kept on this device. Choose “Keep on this device” on the page of a session.',
  playsOffline: 'These sessions play without a network.',
  noNetwork: 'This device has no network, so the page that you wanted cannot be shown.',
  noServer: 'The site does not answer, so the page that you wanted cannot be shown.',
  tryAgain: 'Try again',
  slidesAndSize: { one: '{count} slide, {size}', other: '{count} slides, {size}' },
  play: 'Play',
  playTitle: 'Play “{title}”',
  toSessions: 'To all sessions',
})
