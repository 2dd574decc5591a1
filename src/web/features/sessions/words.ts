/** The words of a session: of its page, of making and changing one, and of what others say of it. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('sessions', {
  session: 'Session',
  newSession: 'New session',
  untitled: 'Untitled',
  price: { one: '{count} credit', other: '{count} credits' },

  // A session in few words
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
  slideNumber: 'Slide {number}',

  // What an import left out
  leftOut: { one: '{count} left out', other: '{count} left out' },
  copyList: 'Copy the list',
  copied: 'Copied',
  cannotCopy: 'Nothing could be copied. Select the list by hand.',

  // What can be done with it
  play: 'Play',
  share: 'Share',
  favourite: 'Favourite',
  more: 'More',
  settings: 'Settings',
  inCommunity: 'In the community',
  publishToCommunity: 'Publish to the community',
  fillAgain: 'Fill again',
  downloadZip: 'Download as a zip',
  delete: 'Delete',
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

  // Publishing
  askPublish: 'Publish to the community?',
  publishConsequence:
    'Everyone here can watch it and save a copy. The pictures are copied as they are now, so they stay even if their sources vanish.',
  forAdultsOnly: 'For adults only',
  forAdultsOnlyHelp: 'Shown to people whose age is confirmed.',
  notNow: 'Not now',
  publish: 'Publish',
  publishing: 'It is on its way to the community.',
  askWithdraw: 'Take it out of the community?',
  withdrawConsequence:
    'Nobody can find or save it there any more. Copies that others have saved stay theirs.',
  leaveThere: 'Leave it there',
  withdraw: 'Take it out',
  withdrawn: 'It has left the community.',

  // Making one
  backToSessions: 'Back to sessions',
  otherWays:
    'From feeds, in a moment. Or choose every slide yourself: {byHand}. Or bring them from elsewhere: {import}',
  newByHand: 'new by hand',
  importLink: 'import',
  upTo: 'Up to {description}',
  makeSession: 'Make session',
  makingCosts: 'Making this session',
  youHave: 'You have',
  leftAfter: 'Left after',
  whenCreditsLeave:
    'Credits leave only when the session exists. If nothing can be found, they come back.',
  tooFewCredits: 'You have too few credits. The {bonus} and the monthly allocation bring new ones.',
  bonusInSentence: 'daily bonus',
  dailyBonus: 'Daily bonus',
  creditsNeeded: { one: '{count} credit needed', other: '{count} credits needed' },
  priceOfBalance: '{price} of {balance}{break}credits',

  // Its fields
  title: 'Title',
  titleExample: 'Harbours in winter',
  titleMissing: 'Give it a title.',
  subfeeds: 'Subfeeds',
  subfeedName: 'Name of a subfeed',
  anotherSubfeed: 'Add another',
  subfeedsHelp: {
    one: 'Up to {count} picture comes from them.',
    other: 'Up to {count} pictures come from them, in turns.',
  },
  otherSubfeedsHelp: 'Other subfeeds fill the session again.',
  subfeedMissing: 'Name at least one subfeed.',
  subfeedWrong: 'Names are letters, digits and _ only, two at least.',
  suggestions: 'Suggestions',
  theseMayFit: 'These may fit',
  slideStays: 'Each slide stays',
  changeOfSlide: 'Change of slide',
  previewNote: 'This is how it will look, at its own pace.',
  playPreview: 'Play the preview',
  stopPreview: 'Stop the preview',
  captions: 'Captions',
  voices: {
    off: 'Off',
    narrator: 'Narrator',
    custom: 'My own words',
    joi: 'Encouraging',
    'forced-bi': 'Daring',
    beta: 'Fond',
    cbt: 'Stern',
    cuckold: 'Teasing',
  },
  offNote: 'Nothing is written over the pictures but what you write yourself.',
  narratorNote: 'A narrator describes what is to be seen.',
  narratorFreeNote: 'A narrator describes what is to be seen. It costs nothing.',
  voicePrice: 'Each new slide that is shown in this voice costs 1 credit.',
  adultVoicesRefused: 'Adult voices are for people of 18 years and more.',
  forAdultVoices: '{confirm} for adult voices.',
  confirmAge: 'Confirm your age',
  howToSpeak: 'How it should speak',
  howToSpeakHelp: 'Tone and subject in your own words.',
  turnByHand: 'Turn slides by hand',
  turnByHandHelp: 'Nothing advances until you say so.',
  keepSettings: 'Keep settings',
  settingsKept: 'The settings are kept.',
  cancel: 'Cancel',
  askDiscard: 'Discard your changes?',
  discardConsequence: 'The settings stay as they were.',
  keepEditing: 'Keep editing',
  discard: 'Discard',

  // Lists of sessions
  searchTitles: 'Search titles',
  showAll: 'Show all',
})
