/** The texts of importing sessions and of downloading the library. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('imports', {
  title: 'Import',
  backToSessions: 'Back to sessions',
  sharedTooMuch:
    'This device has no space for what was shared. Share fewer pictures at once, or choose them here.',
  introduction: 'Import pictures from elsewhere as a session of your own. Importing is free.',
  fileToImport: 'A file to import',
  letGo: 'Drop to import',
  bringSomethingElse: 'Or import something else',
  putIntoTray: 'Drop files here',
  whatToDrop:
    'Drop pictures, folders, a zip, a listing or a text with addresses, or links from another window',
  chooseFiles: 'Choose files',
  folderToImport: 'A folder to import',
  chooseFolder: 'Choose a folder',
  paste: 'Or paste it here',
  pasteHelp:
    'An imgchest address, addresses of pictures and videos line by line, or a listing as JSON',

  waysTitle: 'What you can import',
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
        'Of pictures and videos, up to {max}: a text file, a paste, or links that you drag here.',
    },
    listing: {
      name: 'A Reddit or Lemmy listing',
      means: 'The JSON of their pages, saved with your own browser.',
    },
  },

  pictures: { one: '{count} picture', other: '{count} pictures' },
  films: { one: '{count} film', other: '{count} films' },
  picturesAndFilms: '{pictures} and {films}',
  inOrderTaken: 'In the order in which they were taken.',
  filesLeftOut: { one: '{count} file will be left out.', other: '{count} files will be left out.' },
  fileLeftOut: '“{name}”: {reason}',
  severalFiles: {
    one: 'These are {count} files. Import one at a time, or several pictures together.',
    other: 'These are {count} files. Import one at a time, or several pictures together.',
  },
  unreadable: 'The file could not be read. It may have been moved or changed.',
  emptyFile: '“{name}” is empty.',
  archive: 'An archive, {size}',
  wrongMedia: '“{name}” is not a JPEG, PNG, WebP, GIF, MP4 or WebM file.',
  brokenZip: '“{name}” is not a valid zip. It may be incomplete or damaged.',
  fileTooLong: '“{name}” is not a zip, and it is too long for a text: 5 MB at most.',
  neitherZipNorText: '“{name}” is neither a zip nor a text, so it cannot be imported.',

  emptyText: 'It is empty.',
  textTooLong: 'This text is too long: 5 MB at most.',
  brokenJson: 'This looks like JSON, but it is incomplete or has an error.',
  manifestOnly: 'This is only the manifest of an archive. Import the whole zip.',
  otherJson: 'This is JSON, but not a listing of posts from Reddit or Lemmy.',
  emptyListing: 'This {site} listing has no posts.',
  listing: {
    one: 'A {site} listing with {count} post',
    other: 'A {site} listing with {count} posts',
  },
  listingTitle: '{site} listing',
  allFrom: 'All from {community}',
  withoutMediaLeftOut: 'Posts without a picture or video are left out.',

  noAddress: 'No address was found. Enter one address a line, each beginning with https://',
  post: 'An imgchest post',
  postsAmongOthers:
    'Some of these are imgchest posts. Import each post on its own, and the other addresses together.',
  severalPosts: {
    one: 'These are {count} imgchest posts. Import one at a time.',
    other: 'These are {count} imgchest posts. Import one at a time.',
  },
  redditPage:
    'Only your own browser can read a page of Reddit. Open the page there with .json at the end of its address, save it, and drop the file here.',
  addresses: { one: 'A list of {count} address', other: 'A list of {count} addresses' },
  firstAreTaken: 'Only the first {max} are imported.',
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
  askingForPost: 'Loading the post from imgchest',
  playableAtOnce: 'You can play it at once. What cannot be imported is listed afterwards.',
  uploadingArchive: 'Uploading the archive',
  partSent: '{sent} of {size} sent',
  archiveUnpacked: 'Upload complete. The archive is being unpacked.',
  stop: 'Stop',
  imported: '“{title}” was imported.',
  open: 'Open',

  pageTitleRunning: 'Importing',
  pageTitleDone: 'Imported',
  copying: 'Copying, {done} of {total} checked',
  copied: 'Pictures copied',
  copyingGoesOn:
    'You can already play it or leave this page. The rest is copied in the background.',
  nothingCame: 'Nothing could be imported.',
  slidesCame: { one: 'One slide was imported.', other: '{count} slides were imported.' },
  nothingLeftOut: 'Nothing was left out.',
  thingsLeftOut: { one: 'One item was left out.', other: '{count} items were left out.' },
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
  lookAgain: 'Check again',
  uploadingLibrary: 'Uploading the library',
  libraryLookedAt: 'Upload complete. The archive is being checked.',
  restoringLibrary: 'Restoring the library',
  restoring: 'Restoring, {done} of {total}. It continues if you leave this page.',
  notRestored: 'The library was not restored.',
  restored: '{sessions} and {files} were restored.',
  sessions: { one: '{count} session', other: '{count} sessions' },
  files: { one: '{count} file', other: '{count} files' },
})
