/** The texts of plots, in a file of their own because few pages have plots. */
import { catalogue } from '../words/catalogue.ts'

export const words = catalogue('plot', { figures: 'As a table', day: 'Day' })
