/** The texts of the report form and of the page that opens it. */
import { catalogue } from '../../../words/catalogue.ts'

export const words = catalogue('reportForm', {
  introduction:
    'Are you in a picture without having agreed, or is something here against the law? Tell the people who run this site. You need no account.',
  address: 'Its address',
  addressHelp: 'The link that you were given, or what stands in the browser’s address line.',
  addressMissing: 'Enter the address of what you want to report.',
  addressUnknown: 'This is no address of a shared session or picture, nor of the community.',
  goOn: 'Go on',

  whatIsWrong: 'What is wrong with it?',
  reason: 'Reason',
  chooseReason: 'Choose a reason',
  reasons: {
    nonConsensual: 'Someone in it has not agreed',
    minor: 'It shows a minor',
    copyright: 'It is someone else’s work',
    illegal: 'It is against the law',
    somethingElse: 'Something else',
  },
  reasonMissing: 'Choose a reason first.',
  hidesAtOnce: 'Sending this hides it from everyone at once, until somebody has looked at it.',
  details: 'What should we know? (optional)',
  contact: 'How to reach you (optional)',
  contactHelp: 'Only for questions about this report.',
  contactTooLong: 'At most {most} characters.',
  cancel: 'Cancel',
  send: 'Send report',
  thanks: 'Thank you',
  sent: 'The report is with the people who run this site.',
  sentAndHidden:
    'The report is with the people who run this site. What you reported is hidden from now on, until they have decided.',
})
