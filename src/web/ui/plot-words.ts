/** The words of plots, which few pages have. */
import { catalogue } from '../words/catalogue.ts'

export const words = catalogue('plot', { figures: 'As a table', day: 'Day' })
