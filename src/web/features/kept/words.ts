/** The words of what is kept on a device. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('kept', {
  keepTitle: 'Keep “{title}” on this device',
  introduction:
    'Its pictures are kept on this device, so that it plays without a network. They go when you sign out.',
  keep: 'Keep it',
  keepAgain: 'Fetch it again',
  keeping: 'Being kept',
  progress: { one: '{done} of {count} file, {size}', other: '{done} of {count} files, {size}' },
  isKept: 'It plays without a network, and takes {size} on this device.',
  notKept: 'It could not be kept. This browser may not allow it, or the device is full.',
  remove: 'Remove from this device',
  removeTitle: 'Remove “{title}” from this device',
  keptHere: 'Kept on this device',
  nothingKept:
    'Nothing is kept on this device. Choose “Keep on this device” on the page of a session.',
  playsOffline: 'These sessions play without a network.',
  slidesAndSize: { one: '{count} slide, {size}', other: '{count} slides, {size}' },
  play: 'Play',
  toSessions: 'To all sessions',
})
