/** What only the editor calls: captions that are written for slides before they are shown. */
import { createClient } from '../../../client/client.ts'
import { editorApi } from '../../../contract/editor-api.ts'

export const editorClient = createClient(editorApi)
