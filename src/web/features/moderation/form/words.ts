/** The texts of the report form and of the page that opens it. */
import { catalogue } from '../../../words/catalogue.ts'

export const words = catalogue('reportForm', {
  introduction:
    'Are you in a picture without your consent, or is something here against the law? Tell the people who run this site. You do not need an account.',
  address: 'Address',
  addressHelp: 'The link that you received, or the address in the address bar of your browser.',
  addressMissing: 'Enter the address of what you want to report.',
  addressUnknown:
    'This is not the address of a shared session or picture, or of something in the community.',
  goOn: 'Continue',

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
  hidesAtOnce:
    'Sending this report hides the content from everyone, until an administrator has reviewed it.',
  details: 'What should we know? (optional)',
  contact: 'How to reach you (optional)',
  contactHelp: 'Only for questions about this report.',
  contactTooLong: 'At most {max} characters.',
  cancel: 'Cancel',
  send: 'Send report',
  thanks: 'Thank you',
  sent: 'Your report was sent to the people who run this site.',
  sentAndHidden:
    'Your report was sent to the people who run this site. The content is hidden until they have decided.',
})
