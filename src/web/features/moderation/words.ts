/** What leads to the form for reports is said on many pages; the words of the form come with it. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('moderation', {
  report: 'Report',
  reportSomething: 'Report something',
})
