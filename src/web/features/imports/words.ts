/** The texts of importing sessions and of downloading the library. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('imports', {
  title: 'Import',
  backToSessions: 'Back to sessions',
  sharedTooMuch:
    'What was shared does not fit on this device. Share fewer pictures at once, or choose them here.',
  introduction:
    'Bring pictures from elsewhere. They become a session of yours, and it costs nothing.',
  fileToImport: 'A file to import',
  letGo: 'Let go',
  bringSomethingElse: 'Or bring something else',
  putIntoTray: 'Put it into the tray',
  whatToDrop:
    'Drop pictures, folders, a zip, a listing or a text with addresses, or links from another window',
  chooseFiles: 'Choose files',
  folderToImport: 'A folder to import',
  chooseFolder: 'Choose a folder',
  paste: 'Or paste it',
  pasteHelp:
    'An imgchest address, addresses of pictures and videos line by line, or a listing as JSON',

  waysTitle: 'What can be brought',
  ways: {
    files: {
      name: 'Your own pictures and films',
      means: 'Files, whole folders, a plain zip, or a picture from the clipboard.',
    },
    archive: {
      name: 'A session’s zip',
      means: 'Downloaded here or from another Lanternist, with its captions and settings.',
    },
    post: { name: 'An imgchest post', means: 'By its address, in its order.' },
    addresses: {
      name: 'Addresses',
      means:
        'Of pictures and videos, up to {most}: a text file, a paste, or links that you drag here.',
    },
    listing: {
      name: 'A Reddit or Lemmy listing',
      means: 'The JSON that their pages give, saved from your own browser.',
    },
  },

  pictures: { one: '{count} picture', other: '{count} pictures' },
  films: { one: '{count} film', other: '{count} films' },
  picturesAndFilms: '{pictures} and {films}',
  inOrderTaken: 'In the order in which they were taken.',
  filesLeftOut: { one: '{count} file will be left out.', other: '{count} files will be left out.' },
  fileLeftOut: '“{name}”: {reason}',
  severalFiles: {
    one: 'These are {count} files. Bring one at a time, or pictures together.',
    other: 'These are {count} files. Bring one at a time, or pictures together.',
  },
  unreadable: 'The file could not be read. It may have been moved or changed meanwhile.',
  emptyFile: '“{name}” is empty.',
  archive: 'An archive, {size}',
  wrongMedia: '“{name}” is not a JPEG, PNG, WebP, GIF, MP4 or WebM file.',
  brokenZip: '“{name}” is called a zip but is none. It may be cut off or damaged.',
  fileTooLong: '“{name}” is no zip, and as a text it is too long: 5 MB at most.',
  neitherZipNorText: '“{name}” is neither a zip nor a text, so nothing can be read from it.',

  emptyText: 'There is nothing in it.',
  textTooLong: 'That text is too long: 5 MB at most.',
  brokenJson: 'That begins like JSON but breaks off or has a mistake in it.',
  manifestOnly: 'That is the manifest of an archive. Bring the whole zip that it was in.',
  otherJson: 'That is JSON, but no listing of posts as Reddit or Lemmy give it.',
  emptyListing: 'That is a {site} listing without any post.',
  listing: {
    one: 'A {site} listing with {count} post',
    other: 'A {site} listing with {count} posts',
  },
  listingTitle: '{site} listing',
  allFrom: 'All from {community}',
  withoutMediaLeftOut: 'Posts without a picture or video are left out.',

  noAddress: 'No address was found in it. Each begins with https:// and has its own line.',
  post: 'An imgchest post',
  postsAmongOthers:
    'Some of these are imgchest posts. Bring each post by itself, and the others together.',
  severalPosts: {
    one: 'These are {count} imgchest posts. Bring one at a time.',
    other: 'These are {count} imgchest posts. Bring one at a time.',
  },
  redditPage:
    'That is a page of Reddit, which only your own browser may read. Open it there with .json at the end of its address, save what comes, and drop the file here.',
  addresses: { one: 'A list of {count} address', other: 'A list of {count} addresses' },
  firstAreTaken: 'The first {most} are taken.',
  linesLeftOut: {
    one: '{count} line without an address will be left out.',
    other: '{count} lines without an address will be left out.',
  },
  fromHosts: 'From {hosts}',
  fromHostsAndMore: {
    one: 'From {hosts} and {count} more',
    other: 'From {hosts} and {count} more',
  },

  whatWillBeImported: 'What will be imported',
  itsOwnTitle: 'Its own title',
  restoreOnAccountPage: 'Restore it on the page “Your data”',
  importIt: 'Import',
  askingForPost: 'Asking imgchest for the post',
  playableAtOnce: 'It can be played at once. What cannot be brought is named afterwards.',
  uploadingArchive: 'Uploading the archive',
  partSent: '{sent} of {size} sent',
  archiveUnpacked: 'All sent. The archive is being unpacked.',
  stop: 'Stop',
  imported: '“{title}” is imported.',
  open: 'Open',

  pageTitleRunning: 'Importing',
  pageTitleDone: 'Imported',
  copying: 'Copying, {done} of {total} looked at',
  copied: 'Pictures copied',
  copyingGoesOn: 'You can play it already or leave this page: the rest is copied meanwhile.',
  nothingCame: 'Nothing could be brought along.',
  slidesCame: { one: 'One slide is here.', other: '{count} slides are here.' },
  nothingLeftOut: 'Nothing was left out.',
  thingsLeftOut: { one: 'One thing was left out.', other: '{count} were left out.' },
  playNow: 'Play it now',
  play: 'Play',
  openSession: 'Open session',
  deleteIt: 'Delete it',
  addSlides: 'Add slides by hand',
  importAnother: 'Import another',

  library: 'Your whole library',
  libraryHelp:
    'All sessions and all files of your vault in one zip, to keep or to take to another Lanternist.',
  download: 'Download',
  restoreFromZip: 'Restore from a zip',
  libraryToRestore: 'A library to restore',
  lookAgain: 'Look again',
  uploadingLibrary: 'Uploading the library',
  libraryLookedAt: 'All sent. The archive is being looked at.',
  restoringLibrary: 'Restoring the library',
  restoring: 'Restoring, {done} of {total}. It goes on if you leave.',
  notRestored: 'It was not restored.',
  restored: '{sessions} and {files} are restored.',
  sessions: { one: '{count} session', other: '{count} sessions' },
  files: { one: '{count} file', other: '{count} files' },
})
