/** One endpoint for all that can be brought along; what was sent says which way it comes in. */
import type { api } from '../../../contract/api.ts'
import { problems } from '../../../contract/problems.ts'
import type { Context } from '../../context.ts'
import type { Call } from '../../http/route.ts'
import { Problem } from '../../problem.ts'

export async function importSession(
  _ctx: Context,
  _call: Call<typeof api.imports.importSession>,
): Promise<never> {
  throw new Problem(problems.validationFailed, {
    message: 'Validation failed: nothing can be imported yet',
  })
}
