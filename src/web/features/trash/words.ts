/** The texts of the trash. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('trash', {
  trash: 'Trash',
  backToVault: 'Back to the vault',
  loading: 'Loading the trash',
  takes: 'It takes {size} of your storage.',
  keptFor:
    'What you put here is out of sight for everybody. You can have it back for 30 days; then it is deleted for good.',
  nothing: 'Nothing in the trash',
  whatComesHere: 'Files and sessions that you delete wait here for 30 days.',
  things: 'What is in the trash',
  kinds: { media: 'File', session: 'Session' },
  daysLeft: { one: '{count} day left', other: '{count} days left' },
  goesSoon: 'goes within the hour',

  // Actions
  select: 'Select {name}',
  selectedThings: 'Selected things',
  selected: { one: '{count} selected', other: '{count} selected' },
  done: 'Done',
  restore: 'Restore',
  restoreOne: 'Restore {name}',
  deleteForGood: 'Delete for good',
  deleteOneForGood: 'Delete {name} for good',
  empty: 'Empty trash',
  askEmpty: 'Empty the trash?',
  emptied: 'Everything in it is deleted for good, with its links. Nobody can bring it back.',
  askOne: 'Delete “{name}” for good?',
  askSome: {
    one: 'Delete {count} thing for good?',
    other: 'Delete {count} things for good?',
  },
  goesForGood: 'Nobody can bring it back. Slides that show a deleted file go with it.',
  keep: 'Keep it',

  // Results
  filesMoved: { one: '{count} file moved to the trash', other: '{count} files moved to the trash' },
  sessionMoved: '“{title}” is in the trash.',
  sessionWithdrawn: '“{title}” is in the trash, and no longer in the community.',
  undo: 'Undo',
  notMoved: {
    one: 'It could not be moved to the trash. {problem}',
    other: '{count} files could not be moved to the trash. {problem}',
  },
  cannotWait: {
    one: 'A file that was hidden after a report cannot wait in the trash.',
    other: '{count} files that were hidden after a report cannot wait in the trash.',
  },
  restored: { one: '{count} thing is back where it was.', other: '{count} things are back.' },
  notRestored: {
    one: 'It could not be restored. {problem}',
    other: '{count} things could not be restored. {problem}',
  },
  takenDown: {
    one: 'It was taken down after a report and cannot come back.',
    other: '{count} things were taken down after a report and cannot come back.',
  },
  ended: {
    one: '{count} thing is deleted for good.',
    other: '{count} things are deleted for good.',
  },
  notEnded: {
    one: 'It could not be deleted. {problem}',
    other: '{count} things could not be deleted. {problem}',
  },
})
