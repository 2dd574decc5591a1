/** The texts of the community. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('community', {
  loading: 'Loading the community',
  whatToShow: 'What to show',
  kinds: { all: 'All', sessions: 'Sessions', media: 'Pictures' },
  tagMatch: 'Match of tags',
  tagModes: { or: 'Any of the tags', and: 'All of the tags' },
  order: 'Order',
  sorts: { recent: 'Recent first', popular: 'Most saved first' },
  openToEveryone: 'Showing what is open to everyone. {confirm} to change that.',
  nothingLikeThat: 'Nothing found',
  nothingFits: 'No session or picture matches these filters.',
  nobodyYet: 'Nobody has published yet',
  howToPublish: 'A session can be published from its own page.',
  forMembers: 'The community is for members',
  forMembersReason: 'Sign in to see the sessions and pictures that people have published here.',

  // One thing of many
  saved: { one: 'saved {count}', other: 'saved {count}' },
  by: 'By {name}',
  taggedBy: '{tags}, by {name}',

  moreOf: 'More about {title}',
  saveCopyFor: 'Save a copy, {price}',
  youHave: 'You have {credits}.',

  // The user's own publications
  yours: 'Published by you',
  nothingOfYours: 'You have not published anything yet',
  toSessions: 'Your sessions',
  onePicture: 'A picture',
  publishedOn: 'Since {day}',
  withdraw: 'Withdraw',
  withdrawOne: 'Withdraw {title}',
  askWithdraw: 'Withdraw {title}?',
  linkGoesToo:
    'It is removed from the community, and its link stops working. The file stays in your vault.',
  isWithdrawn: 'It was withdrawn from the community.',

  // One session
  opening: 'Opening the session',
  backToCommunity: 'Back to the community',
  bySaved: { one: 'By {name}, saved {count} time', other: 'By {name}, saved {count} times' },
  saveCopy: 'Save a copy',
  copyLeaves: {
    one: 'After saving a copy you have {count} credit left. A session that you have already saved costs nothing. Playing is free.',
    other:
      'After saving a copy you have {count} credits left. A session that you have already saved costs nothing. Playing is free.',
  },
  savedToLibrary: 'Saved to your library.',
  savedAlready: 'You have already saved this session.',
})
