/** Reads a zip as a stranger's program would: every entry by its name, in the archive's order. */
import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
