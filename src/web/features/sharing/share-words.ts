/** The texts of the share dialog. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('shareDialog', {
  share: 'Share “{title}”',
  looking: 'Loading the link',
  audiences: { anyone: 'Anyone with the link', members: 'People with an account' },
  forAnyone: 'Anyone with the link can play it, without an account.',
  forMembers:
    'Everyone who has the link sees the cover and a few slides, and plays all of it once signed in.',
  adultsHidden: 'Adult slides stay hidden from everyone without an account.',
  whoCanPlay: 'Who can play it',
  make: 'Make the link',
  hasEnded: 'The link was removed. If you make it again, it works for everyone who has it.',
  saveChanges: 'Save changes',
  worksLikeThis: 'The link was updated.',
  stop: 'Stop sharing',
  stopped: 'The link was removed.',
  undo: 'Undo',
  worksAgain: 'The link works again.',

  works: 'The link works',
  oneDay: 'One day from now',
  oneWeek: 'One week from now',
  days: { one: '{count} day from now', other: '{count} days from now' },
  untilStopped: 'Until it is stopped',
  until: 'Until {moment}',

  download: 'Guests may download it',
  downloadHelp: 'A zip of the slides that they can see, with their captions.',

  password: 'Password',
  passwordOptional: 'Password (optional)',
  newPassword: 'New password',
  passwordTooLong: 'A password has at most 200 characters.',
  emptyKeepsOld: 'Leave it empty to keep the current password.',
  passwordNeeded: 'A password is needed',
  willBeRemoved: 'The password will be removed',
  change: 'Change',
  changePassword: 'Change the password',
  remove: 'Remove',
  removePassword: 'Remove the password',
  keep: 'Keep',
  keepPassword: 'Keep the password',

  link: 'Link',
  carriesInvitation:
    'It contains your invitation: you get 10 credits for each person who joins through it.',
  sendIt: 'Send it',
  qrCode: 'QR code',
  qrCodeOf: 'QR code of the link to “{title}”',
  drawingCode: 'Loading the code',
  embed: 'Embed',
  embedCode: 'Embed code',
  copyCode: 'Copy the code',
  embedHow:
    'Paste this code into your own page. The session plays there for as long as the link works.',
  embedOnlyOpen:
    'Other sites can show sessions that anyone with the link can play, without a password and without adult slides.',
})
