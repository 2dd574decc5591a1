/** The texts of the report buttons, which many pages need. The texts of the form load with it. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('moderation', {
  report: 'Report',
  reportSomething: 'Report something',
})
