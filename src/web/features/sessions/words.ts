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
  turnedByHand: 'turned by hand',
  transitions: { fade: 'Dissolve', slide: 'Slide', zoom: 'Zoom', flip: 'Flip', none: 'Cut' },
  transitionsInList: { fade: 'dissolve', slide: 'slide', zoom: 'zoom', flip: 'flip', none: 'cut' },
  plays: 'Plays',
  aboutSeconds: { one: 'about {count} second', other: 'about {count} seconds' },
  aboutMinutes: { one: 'about {count} minute', other: 'about {count} minutes' },
  made: 'Made',
  fromSubfeeds: 'From {subfeeds}',

  // Its state
  loading: 'Loading the session',
  waiting: 'Waiting for its pictures',
  filling: 'Filling',
  fillingSlides: {
    one: 'Filling, {done} of {count} slide',
    other: 'Filling, {done} of {count} slides',
  },
  slidesArrived: 'Slides arrived',
  fillingFailed: 'Filling failed.',
  partlyFilled: 'Without pictures from {reasons}.',
  replaced: {
    one: 'One picture was replaced after vanishing.',
    other: '{count} pictures were replaced after vanishing.',
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
  publishingFailed: 'Publishing did not finish. {reason}',

  // Its slides
  slidesHeading: 'Slides',
  editSlides: 'Edit slides',
  slidesAppear: 'They appear here as soon as the feed has given them.',
  emptyTray: 'No slides in the tray',
  noPictures: 'This session has no pictures yet.',
  playFromHere: 'Play from here',
  inTrash: 'In the trash',
  slideNumber: 'Slide {number}',

  // Files that an import skipped
  leftOut: { one: '{count} left out', other: '{count} left out' },
  copyList: 'Copy the list',
  copied: 'Copied',
  cannotCopy: 'Nothing could be copied. Select the list by hand.',

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
  frames: 'On a frame',
  keepFresh: 'Keep fresh',
  keepFreshHelp: 'Filled again once a day, free. What you captioned or added stays.',
  moveToTrash: 'Move to trash',
  deleteTitle: 'Delete “{title}”?',
  deleteConsequence: {
    one: 'Its {count} slide and its share link go with it. Pictures from your vault stay there.',
    other: 'Its {count} slides and its share link go with it. Pictures from your vault stay there.',
  },
  keepIt: 'Keep it',
  deleteSession: 'Delete session',
  deleted: '“{title}” is deleted.',
  fillTitleAgain: 'Fill “{title}” again?',
  allSlidesStay: 'All slides stay, and new ones join them. It costs nothing.',
  slidesLost: {
    one: '{count} slide is lost, and new ones come from the feed.',
    other: '{count} slides and their order are lost, and new ones come from the feed.',
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
