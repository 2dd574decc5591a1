/** The texts of enhancing a picture: consent, queue, results. */
import { catalogue } from '../../words/catalogue.ts'

export const enhanceWords = catalogue('studio-enhance', {
  consentTitle: 'Before the first picture',
  consentBody:
    'Enhancing makes a picture twice as large and clearer. It adds nothing to it and changes nobody in it. Send only pictures that you may use; what is blocked on this site is refused.',
  agree: 'I agree',
  loadingConsent: 'Loading',
  picture: 'Picture',
  quality: 'Quality',
  qualities: { low: 'Quick', high: 'Fine' },
  lowMeans: 'Sharper edges, at once.',
  highMeans: 'Finer detail, and it takes longer.',
  unavailable: 'Nothing can be enhanced at the moment. Try again later.',
  usedToday: { one: '{used} of {count} used today', other: '{used} of {count} used today' },
  noneLeft: 'No more today. It goes on at {time}.',
  atOnce: 'Up to {count} are worked on at a time; the others wait here.',
  enhance: 'Enhance',
  chooseOne: 'Choose a picture, and it comes back twice as large.',
  farAway: 'This picture lies on another site and cannot be sent from here. Upload it first.',
  cannotRead: 'This picture cannot be read.',

  queue: 'On its way',
  states: { waiting: 'Waiting', working: 'At work', done: 'Ready' },
  failed: 'Not done. {reason}',
  tryAgain: 'Try again',
  dismiss: 'Take {name} off the list',
  isReady: '{name} is ready.',
  isReadyCheaper: '{name} is ready. It was made as Quick, and the difference is back.',
  isRefunded: '{name} could not be enhanced. It costs nothing.',

  beforeAfter: 'Before and after',
  compare: 'Compare',
  compareAt: 'Before up to {value} %',
  before: 'Before',
  after: 'After',

  recent: 'Enhanced lately',
  loadingRecent: 'Loading what you have enhanced',
  nothingYet: 'Nothing enhanced yet.',
  stillWorking: 'At work',
  creditsBack: 'Not done, credits back',
  notDone: 'Not done',
  result: 'Enhanced picture {id}',
  endStuck: 'End what is stuck',
  nothingStuck: 'Nothing is stuck.',
  stuckEnded: {
    one: 'One was ended, and its credits are back.',
    other: '{count} were ended, and their credits are back.',
  },
})
