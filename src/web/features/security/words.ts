/** The words of keeping an account to oneself. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('security', {
  security: 'Security',
  backToAccount: 'Back to the account',
})
