/** Checks conditions that other statements embed: they must compare with a column of that statement. */
import { expect, test } from 'vitest'
import { fileIsHidden, sessionIsHidden } from '../../src/server/features/visibility/visibility.ts'

test('what is hidden is asked of a column with its table, never of a bare name', () => {
  // If one of these lines stops being an error, the type check fails.
  // @ts-expect-error a bare name means the subquery's own column, and every row would be hidden
  const bareSession = sessionIsHidden('session_id')
  // @ts-expect-error the same of files
  const bareFile = fileIsHidden('general', 'key')
  expect(bareSession).not.toBe(sessionIsHidden('s.session_id'))
  expect(bareFile).not.toBe(fileIsHidden('general', 'm.key'))
})
