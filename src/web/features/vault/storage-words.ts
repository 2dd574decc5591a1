/** The texts of storage. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('storage', {
  storage: 'Storage',
  usedOf: '{used} of {quota} used',
  used: '{used} used',
  trash: 'Trash',
  ofThatTrash: '{size} of it in the trash',
})
