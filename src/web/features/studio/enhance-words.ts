/** The texts of enhancing a picture: consent, queue, results. */
import { catalogue } from '../../words/catalogue.ts'

export const enhanceWords = catalogue('studio-enhance', {
  consentTitle: 'Before your first picture',
  consentBody:
    'Enhancing makes a picture twice as large and clearer. It adds nothing to it and changes nobody in it. Only send pictures that you may use; pictures that are blocked on this site are refused.',
  agree: 'I agree',
  loadingConsent: 'Loading',
  picture: 'Picture',
  quality: 'Quality',
  qualities: { low: 'Quick', high: 'Fine' },
  lowMeans: 'Sharper edges, at once.',
  highMeans: 'Finer detail, and it takes longer.',
  unavailable: 'Nothing can be enhanced at the moment. Try again later.',
  usedToday: { one: '{used} of {count} used today', other: '{used} of {count} used today' },
  noneLeft: 'You have reached the limit for today. You can continue at {time}.',
  atOnce: 'Up to {count} pictures are enhanced at a time; the others wait here.',
  enhance: 'Enhance',
  chooseOne: 'Choose a picture to make it twice as large.',
  farAway: 'This picture is on another site and cannot be sent from here. Upload it first.',
  cannotRead: 'This picture cannot be read.',

  queue: 'Queue',
  states: { waiting: 'Waiting', working: 'In progress', done: 'Ready' },
  failed: 'Failed. {reason}',
  tryAgain: 'Try again',
  dismiss: 'Remove {name} from the list',
  isReady: '{name} is ready.',
  isReadyCheaper: '{name} is ready. It was made in Quick quality, and the difference was refunded.',
  isRefunded: '{name} could not be enhanced. Nothing was charged.',

  beforeAfter: 'Before and after',
  compare: 'Compare',
  compareAt: 'Before up to {value} %',
  before: 'Before',
  after: 'After',

  recent: 'Recently enhanced',
  loadingRecent: 'Loading enhanced pictures',
  nothingYet: 'Nothing enhanced yet.',
  stillWorking: 'In progress',
  creditsBack: 'Failed, credits refunded',
  notDone: 'Failed',
  result: 'Enhanced picture {id}',
  endStuck: 'Cancel stuck enhancements',
  nothingStuck: 'No enhancement is stuck.',
  stuckEnded: {
    one: 'One was cancelled, and its credits were refunded.',
    other: '{count} were cancelled, and their credits were refunded.',
  },
})
