/** The texts of storing sessions on a device. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('kept', {
  keepHere: 'Save on this device',
  keepTitle: 'Save “{title}” on this device',
  introduction:
    'Its pictures and films are saved on this device, so that it plays without a network. They are removed when you sign out.',
  keep: 'Save',
  keepAgain: 'Download again',
  keeping: 'Saving',
  progress: { one: '{done} of {count} file, {size}', other: '{done} of {count} files, {size}' },
  isKept: 'It plays without a network, and uses {size} on this device.',
  missing: {
    one: '{count} slide could not be saved, and is skipped without a network.',
    other: '{count} slides could not be saved, and are skipped without a network.',
  },
  roomLeft: 'There is space for {size} more.',
  refused: {
    unsupported: 'This browser cannot save it. Private windows cannot save sessions.',
    nothing: 'None of its pictures can be saved.',
    away: 'The connection was lost, so nothing was saved. Try again.',
    full: 'There is not enough space on this device, so nothing was saved. Remove something first.',
    large: 'It is larger than 1 GB, the limit for one session, so nothing was saved.',
  },
  remove: 'Remove from this device',
  removeTitle: 'Remove “{title}” from this device',
  keptHere: 'Saved on this device',
  nothingKept:
    'No session is saved on this device. Choose “Save on this device” on the page of a session.',
  playsOffline: 'These sessions play without a network.',
  noNetwork: 'This device has no network, so this page cannot be shown.',
  noServer: 'The site does not answer, so this page cannot be shown.',
  tryAgain: 'Try again',
  slidesAndSize: { one: '{count} slide, {size}', other: '{count} slides, {size}' },
  play: 'Play',
  playTitle: 'Play “{title}”',
  toSessions: 'To all sessions',
})
