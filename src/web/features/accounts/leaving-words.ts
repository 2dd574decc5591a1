/** The texts of downloads, of deleting the account and of notices. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('leaving', {
  downloads: 'Your data',
  downloadsHelp: 'Download what is yours, or restore a library that you downloaded before.',
  openDownloads: 'Download or restore',
  downloadsDiffer:
    'There are two downloads. Take the library to play your sessions again, here or on another Lanternist. Take the account to read and keep everything that this site holds about you; it has your pictures too, but it is not made to be restored.',
  export: 'Your whole account',
  exportHelp: 'All that your account holds as one zip: profile, sessions, pictures and the rest.',
  exportStart: 'Download everything',
  exportSoFar: '{bytes} so far',
  exportCancel: 'Stop',
  exportDone: 'Downloaded, {bytes}.',

  leave: 'Delete the account',
  leaveHelp: 'Everything goes at once, and nobody can bring it back.',
  leaveStart: 'Delete my account',
  askLeave: 'Delete your account?',
  leaveTakes: 'This goes for good:',
  leaveCounting: 'Counting what you have',
  sessions: { one: '{count} session', other: '{count} sessions' },
  files: { one: '{count} file, {bytes}', other: '{count} files, {bytes}' },
  published: { one: '{count} thing in the community', other: '{count} things in the community' },
  links: { one: '{count} link that others have', other: '{count} links that others have' },
  credits: { one: '{count} credit', other: '{count} credits' },
  profile: 'your profile and your sign-ins',
  copiesStay: 'Copies that others saved of what you published stay theirs.',
  confirmEmail: 'Type {email} to confirm',
  stay: 'Stay',

  notices: 'Notices',
  noticesUnread: { one: '{count} new notice', other: '{count} new notices' },
  noticesLoading: 'Loading the notices',
  noticesEmpty: 'No news tonight.',
  noticesEmptyReason: 'What the people who run this site have to tell you stands here.',
  isNew: 'New',
  markRead: 'Mark all as read',
  backToAccount: 'Back to the account',
  noticeHidden: '“{title}” was reported and is hidden until somebody has looked at it.',
  noticeDismissed: 'A report about “{title}” was looked at and dismissed. Everything is as it was.',
  noticeRemoved:
    '“{title}” was taken down after a report. It can no longer be shared or published.',
  noticeStale:
    'Your session “{title}” could not be kept fresh for three days. What it shows stays as it is.',
})
