/** The archive in a form, as it comes in. */
import type { FormStream } from '../../../http/route.ts'
import { problem } from '../../../http/problem.ts'

const partName = 'file'

/** What comes after the archive is not waited for. */
export async function withFormFile<T>(
  form: FormStream,
  maxFileBytes: number,
  work: (content: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  if (!form.isMultipart) throw problem.noFile()
  for await (const part of form.parts({ maxFileBytes })) {
    if (part.kind === 'field') continue
    // Awaited here: the form is let go of as soon as the loop is left.
    if (part.name === partName) return await work(part.content)
    for await (const _ of part.content);
  }
  throw problem.noFile()
}
