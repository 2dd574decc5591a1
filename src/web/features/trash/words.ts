/** The texts of the trash. */
import { catalogue } from '../../words/catalogue.ts'

export const words = catalogue('trash', {
  trash: 'Trash',
  backToVault: 'Back to the vault',
  loading: 'Loading the trash',
  takes: 'It takes {size} of your storage.',
  keptFor:
    'Nobody else can see what is here. You can restore it for 30 days; then it is deleted for good.',
  nothing: 'Nothing in the trash',
  whatComesHere: 'Files and sessions that you delete stay here for 30 days.',
  things: 'What is in the trash',
  kinds: { media: 'File', session: 'Session' },
  daysLeft: { one: '{count} day left', other: '{count} days left' },
  goesSoon: 'deleted within the hour',

  // Actions
  select: 'Select {name}',
  selectAll: 'Select all',
  selectedThings: 'Selected items',
  selected: { one: '{count} selected', other: '{count} selected' },
  done: 'Done',
  restore: 'Restore',
  restoreOne: 'Restore {name}',
  deleteForGood: 'Delete for good',
  deleteOneForGood: 'Delete {name} for good',
  empty: 'Empty trash',
  askEmpty: 'Empty the trash?',
  emptied: 'Everything in it is deleted for good, with its links. This cannot be undone.',
  askOne: 'Delete “{name}” for good?',
  askSome: {
    one: 'Delete {count} item for good?',
    other: 'Delete {count} items for good?',
  },
  goesForGood: 'This cannot be undone. Slides that show a deleted file are deleted too.',
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
    one: 'A file that was hidden after a report cannot be moved to the trash.',
    other: '{count} files that were hidden after a report cannot be moved to the trash.',
  },
  restored: { one: '{count} item was restored.', other: '{count} items were restored.' },
  notRestored: {
    one: 'It could not be restored. {problem}',
    other: '{count} items could not be restored. {problem}',
  },
  takenDown: {
    one: 'It was taken down after a report and cannot be restored.',
    other: '{count} items were taken down after a report and cannot be restored.',
  },
  ended: {
    one: '{count} item was deleted for good.',
    other: '{count} items were deleted for good.',
  },
  notEnded: {
    one: 'It could not be deleted. {problem}',
    other: '{count} items could not be deleted. {problem}',
  },
})
