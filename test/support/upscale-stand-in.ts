/** Replaces the thread that runs the network, and simulates a fault. */
import { parentPort, workerData } from 'node:worker_threads'
import type {
  UpscaleAnswer,
  UpscaleOrder,
} from '../../src/server/features/enhancement/providers/upscale-order.ts'

const { fault } = workerData as { fault: string }
const tell = (answer: UpscaleAnswer) => parentPort?.postMessage(answer, [])

parentPort?.on('message', ({ picture }: UpscaleOrder) => {
  switch (fault) {
    case 'exits':
      process.exit(3)
    case 'throws':
      throw new Error('out of memory')
    case 'fails':
      return tell({ kind: 'failed', reason: 'no such model' })
    case 'is slow':
      for (let tile = 0; tile < 5; tile++) tell({ kind: 'tile', pixels: 148 * 148, ms: 20_000 })
      return
    case 'is silent':
      return
    default:
      tell({ kind: 'done', enlarged: picture })
  }
})
