/** The thread that runs the network: receives a picture and returns it at twice its size, tile by tile. */
import { readFile } from 'node:fs/promises'
import { platform, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { env, InferenceSession, Tensor } from 'onnxruntime-web'
import { enlargement } from '../enhancer.ts'
import { spreadColours } from './hidden-colours.ts'
import type { Pixels } from './tiles.ts'
import { readTile, tileMargin, tilesOf, writeTile } from './tiles.ts'
import type { UpscaleAnswer, UpscaleOrder, UpscaleWorkerData } from './upscale-order.ts'

// Lower priority than requests. Only on Linux: elsewhere it would slow down the whole process.
const niceness = 5
if (platform() === 'linux') setPriority(niceness)

const modelFile = new URL('../model/super-resolution-x2.onnx', import.meta.url)
// Set by the code that started this thread.
env.wasm.numThreads = (workerData as UpscaleWorkerData).threads
const network = readFile(modelFile).then((bytes) =>
  InferenceSession.create(bytes, { executionProviders: ['wasm'], graphOptimizationLevel: 'all' }),
)
// The request for a picture reports this failure.
network.catch(() => {})

parentPort?.on('message', (order: UpscaleOrder) => {
  upscale(order).then(
    (enlarged) => post({ kind: 'done', enlarged }, [enlarged.data.buffer as ArrayBuffer]),
    (error: unknown) => post({ kind: 'failed', reason: String(error) }),
  )
})

function post(answer: UpscaleAnswer, transferred: ArrayBuffer[] = []): void {
  parentPort?.postMessage(answer, transferred)
}

async function upscale({ picture, enlargedAlpha }: UpscaleOrder): Promise<Pixels> {
  const session = await network
  if (enlargedAlpha) spreadColours(picture, tileMargin)
  const [width, height] = [picture.width * enlargement, picture.height * enlargement]
  const { channels } = picture
  const enlarged = { data: new Uint8Array(width * height * channels), width, height, channels }
  for (const tile of tilesOf(picture)) {
    const startedAt = performance.now()
    const { planes, width, height } = readTile(picture, tile)
    const { SR: made } = await session.run({
      LR: new Tensor('float32', planes, [1, 3, height, width]),
    })
    if (!(made?.data instanceof Float32Array)) throw new Error('The model returned no picture')
    writeTile(enlarged, tile, made.data, enlargement)
    made.dispose()
    post({ kind: 'tile', pixels: width * height, ms: performance.now() - startedAt })
  }
  if (enlargedAlpha)
    for (let pixel = 0; pixel < enlargedAlpha.length; pixel++)
      enlarged.data[pixel * channels + 3] = enlargedAlpha[pixel] ?? 0
  return enlarged
}
