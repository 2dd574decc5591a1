/** The texts of a session in lists, on its page and while it plays. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('sessions', {
  session: 'Session',
  newSession: 'New session',
  untitled: 'Untitled',
  price: { one: '{count} credit', other: '{count} credits' },

  // A summary of a session
  slides: { one: '{count} slide', other: '{count} slides' },
  pace: '{seconds} s',
  paceBetween: '{shortest} to {longest} s',
  turnedByHand: 'manual',
  transitions: { fade: 'Dissolve', slide: 'Slide', zoom: 'Zoom', flip: 'Flip', none: 'Cut' },
  transitionsInList: { fade: 'dissolve', slide: 'slide', zoom: 'zoom', flip: 'flip', none: 'cut' },
  plays: 'Duration',
  aboutSeconds: { one: 'about {count} second', other: 'about {count} seconds' },
  aboutMinutes: { one: 'about {count} minute', other: 'about {count} minutes' },
  made: 'Created',
  fromSubfeeds: 'From {subfeeds}',

  // Its state
  loading: 'Loading the session',
  waiting: 'Waiting for pictures',
  filling: 'Filling',
  fillingSlides: {
    one: 'Filling, {done} of {count} slide',
    other: 'Filling, {done} of {count} slides',
  },
  slidesArrived: 'Slides added',
  fillingFailed: 'Filling failed.',
  partlyFilled: 'Without pictures from {reasons}.',
  replaced: {
    one: 'One missing picture was replaced.',
    other: '{count} missing pictures were replaced.',
  },
  broken: {
    one: 'One picture can no longer be reached.',
    other: '{count} pictures can no longer be reached.',
  },
  publishingSlides: {
    one: 'Publishing, {done} of {count} slide copied',
    other: 'Publishing, {done} of {count} slides copied',
  },
  slidesCopied: 'Slides copied to the community',
  publishingFailed: 'Publishing failed. {reason}',

  // Its slides
  slidesHeading: 'Slides',
  editSlides: 'Edit slides',
  slidesAppear: 'Slides appear here as soon as the feed delivers them.',
  emptyTray: 'No slides yet',
  noPictures: 'This session has no pictures yet.',
  playFromHere: 'Play from here',
  inTrash: 'In the trash',
  slideNumber: 'Slide {number}',

  // Files that an import skipped
  leftOut: { one: '{count} left out', other: '{count} left out' },
  copyList: 'Copy the list',
  copied: 'Copied',
  cannotCopy: 'The list could not be copied. Select it and copy it yourself.',

  // Its actions
  play: 'Play',
  share: 'Share',
  favourite: 'Favourite',
  more: 'More',
  settings: 'Settings',
  inCommunity: 'In the community',
  publishToCommunity: 'Publish to the community',
  fillAgain: 'Fill again',
  duplicate: 'Duplicate',
  duplicated: 'This is the copy. Only you can see it.',
  downloadZip: 'Download as a zip',
  frames: 'Show on a frame',
  keepFresh: 'Refresh daily',
  keepFreshHelp:
    'The session is filled again once a day for free. Slides that you captioned or added stay.',
  moveToTrash: 'Move to trash',
  deleteTitle: 'Delete “{title}”?',
  deleteConsequence: {
    one: 'Its {count} slide and its share link are deleted too. Pictures from your vault stay there.',
    other:
      'Its {count} slides and its share link are deleted too. Pictures from your vault stay there.',
  },
  keepIt: 'Keep it',
  deleteSession: 'Delete session',
  deleted: '“{title}” was deleted.',
  fillTitleAgain: 'Fill “{title}” again?',
  allSlidesStay: 'All slides stay, and new ones are added. It costs nothing.',
  slidesLost: {
    one: '{count} slide is replaced by new ones from the feed.',
    other: '{count} slides and their order are replaced by new ones from the feed.',
  },
  slidesStay: {
    one: '{count} slide with a caption, a time or a source of your own stays.',
    other: '{count} slides with a caption, a time or a source of your own stay.',
  },
  costsNothing: 'It costs nothing.',
  keepSlides: 'Keep the slides',

  // Lists of sessions
  searchTitles: 'Search titles',
  showAll: 'Show all',
})
