/** The texts of downloads, of deleting the account and of notices. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('leaving', {
  downloads: 'Your data',
  downloadsHelp: 'Download your data, or restore a library from an earlier download.',
  openDownloads: 'Download or restore',
  downloadsDiffer:
    'There are two downloads. Download the library to play your sessions again, here or on another Lanternist site. Download the account to keep everything that this site stores about you. It includes your pictures, but it cannot be restored.',
  export: 'Your whole account',
  exportHelp: 'Everything in your account as one zip: profile, sessions, pictures and more.',
  exportStart: 'Download everything',
  exportSoFar: '{bytes} so far',
  exportCancel: 'Stop',
  exportDone: 'Downloaded, {bytes}.',

  leave: 'Delete the account',
  leaveHelp: 'Your account and everything in it is deleted at once. This cannot be undone.',
  leaveStart: 'Delete my account',
  askLeave: 'Delete your account?',
  leaveTakes: 'This will be deleted for good:',
  leaveCounting: 'Counting your data',
  sessions: { one: '{count} session', other: '{count} sessions' },
  files: { one: '{count} file, {bytes}', other: '{count} files, {bytes}' },
  published: {
    one: '{count} publication in the community',
    other: '{count} publications in the community',
  },
  links: { one: '{count} shared link', other: '{count} shared links' },
  credits: { one: '{count} credit', other: '{count} credits' },
  profile: 'your profile and your sign-ins',
  copiesStay: 'Copies that other people saved from your publications are not deleted.',
  confirmEmail: 'Type {email} to confirm',
  stay: 'Cancel',

  notices: 'Notices',
  noticesUnread: { one: '{count} new notice', other: '{count} new notices' },
  noticesLoading: 'Loading notices',
  noticesEmpty: 'No notices',
  noticesEmptyReason: 'Messages from the people who run this site appear here.',
  isNew: 'New',
  markRead: 'Mark all as read',
  backToAccount: 'Back to the account',
  noticeHidden: '“{title}” was reported and is hidden until an administrator has reviewed it.',
  noticeDismissed:
    'A report about “{title}” was reviewed and dismissed. Everything is as it was before.',
  noticeRemoved:
    '“{title}” was taken down after a report. It can no longer be shared or published.',
  noticeStale:
    'The daily refresh of your session “{title}” has failed for three days. Its slides have not changed.',
})
