/** The texts of the price of playing, in a separate file because most pages need none. */
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
