/** The texts of the vault. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('vault', {
  vault: 'Vault',
  onlyYou: { one: '{count} file. Only you see it.', other: '{count} files. Only you see them.' },
  loading: 'Loading your files',
  files: 'Your files',
  upload: 'Upload',
  filesToUpload: 'Files to upload',
  folder: 'Folder',
  folderToUpload: 'A folder to upload',
  select: 'Select',
  letGo: 'Drop to add to your vault',
  nothingYet: 'Your vault is empty',
  howToBegin: 'Drop pictures, films or a whole folder here, or paste them. Only you will see them.',
  noneLikeThat: 'No files found',
  noneFits: 'No file in your vault matches these filters.',
  showAll: 'Show all',
  tryAgain: 'Try again',

  // The filters
  search: 'Name, caption',
  kinds: {
    all: 'All',
    upload: 'Uploads',
    'smart-caption': 'Captioned',
    babecock: 'Compositions',
    hypnococks: 'Animations',
  },
  added: 'Added',
  ranges: {
    all: 'Any time',
    today: 'Today',
    week: 'Last 7 days',
    month: 'This month',
    year: 'This year',
  },

  // A tile
  today: 'Today',
  thisWeek: 'Last 7 days',
  selectFile: 'Select {name}',
  hasLink: 'Shared by a link',

  // The selection
  selectedFiles: 'Selected files',
  pressToSelect: 'Press files to select them',
  filesSelectedSize: { one: '{count} selected, {size}', other: '{count} selected, {size}' },
  selectAll: 'Select all',
  makeSession: 'Make a session',
  share: 'Share',
  moveToTrash: 'Move to trash',
  done: 'Done',

  // A session of selected files
  newSession: 'A session of {count} files',
  title: 'Title',
  titleMissing: 'Give the session a title.',
  notNow: 'Not now',
  atMost: 'A session can have at most {max} slides. Select fewer.',
  make: 'Make session',

  // Files that are already stored
  lookingThrough: 'Checking {total} files, {done} so far',
  alreadyThere: {
    one: '{count} file is in your vault already',
    other: '{count} files are in your vault already',
  },
  sameAs: '{name}, the same as {other}',
  skip: 'Skip',
  uploadAnyway: 'Upload anyway',
})
