/** What playing costs, in words: apart, so that no page waits for them that plays for nothing. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('playPrice', {
  toPlay: {
    one: 'Playing it costs {count} credit for each slide.',
    other: 'Playing it costs {count} credits for each slide.',
  },
  forMembers: {
    one: 'Members pay {count} credit for each slide.',
    other: 'Members pay {count} credits for each slide.',
  },
})
