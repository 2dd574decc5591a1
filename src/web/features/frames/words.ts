/** The texts of frames: on the wall, and in their settings. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('frames', {
  // On the wall
  frame: 'Frame',
  waiting: 'Waiting for pictures',
  empty: 'There are no pictures to show yet.',
  ended: 'This link no longer works',
  endedReason: 'The link was replaced, or the frame was deleted. Open the new link on this screen.',
  away: 'The site cannot be reached',
  awayReason: 'The frame starts as soon as the site can be reached.',

  // In the settings
  title: 'Frames',
  introduction:
    'A frame is a link for a screen on a wall, such as an old tablet: it keeps playing sessions, and nobody has to sign in on the screen.',
  make: 'Make a frame',
  name: 'Name',
  nameHelp: 'Where it hangs, such as “Hall”.',
  nameMissing: 'Give it a name of up to 60 characters.',
  nameExample: 'Hall',
  interval: 'Seconds for each picture',
  intervalWrong: 'Between 3 and 3600 seconds.',
  transition: 'Transition',
  clock: 'Clock and date',
  captions: 'Captions',
  shuffle: 'In random order',
  adult: 'Include adult pictures',
  adultHelp: 'Everyone who sees the screen sees them.',
  quiet: 'Quiet hours',
  quietHelp: 'The screen is dark during these hours (time zone {timeZone}).',
  quietFrom: 'Dark from',
  quietTo: 'until',
  others: 'Sessions to play in turn',
  save: 'Save',
  cancel: 'Cancel',
  change: 'Change',
  renew: 'New link',
  renewQuestion: 'Give “{name}” a new link?',
  renewConsequence:
    'The old link stops working, and the screen that uses it stops showing pictures.',
  keep: 'Cancel',
  end: 'Delete',
  endQuestion: 'Delete “{name}”?',
  endConsequence:
    'Its link stops working, and the screen goes dark. Your sessions are not deleted.',
  endIt: 'Delete the frame',
  link: 'Link of the frame',
  linkNow: 'Open this link on the screen now. It is shown only once; later you can make a new one.',
  qrCode: 'QR code that opens the frame “{name}”',
  done: 'Done',
  playing: { one: '{count} session', other: '{count} sessions' },
  looking: 'Loading frames',
})
