/**
 * Converts the weights of the npm package @upscalerjs/esrgan-slim (MIT) from TensorFlow to the ONNX file
 * that the service runs. Run it by hand when the model changes: `npm pack @upscalerjs/esrgan-slim`, unpack
 * it, and `node scripts/make-super-resolution-model.ts <unpacked folder>/models/x2`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const layer = z.object({
  class_name: z.enum(['InputLayer', 'Conv2D', 'Activation', 'Concatenate', 'Add', 'UpSampling2D']),
  name: z.string(),
  config: z.object({
    kernel_size: z.tuple([z.int(), z.int()]).optional(),
    size: z.tuple([z.int(), z.int()]).optional(),
    interpolation: z.literal('nearest').optional(),
    activation: z.enum(['linear', 'relu']).optional(),
  }),
  inbound_nodes: z.array(z.array(z.tuple([z.string()]).rest(z.unknown()))),
})

const kerasModel = z.object({
  modelTopology: z.object({
    model_config: z.object({ config: z.object({ layers: z.array(layer) }) }),
  }),
  weightsManifest: z.tuple([
    z.object({
      paths: z.tuple([z.string()]),
      weights: z.array(
        z.object({ name: z.string(), shape: z.array(z.int()), dtype: z.literal('float32') }),
      ),
    }),
  ]),
})

type Layer = z.output<typeof layer>
type Tensor = { readonly name: string; readonly shape: readonly number[]; readonly data: Buffer }

const targetFile = fileURLToPath(
  new URL('../src/server/features/enhancement/model/super-resolution-x2.onnx', import.meta.url),
)
const floatType = 1
const opsetVersion = 17
const irVersion = 8

const [, , folder] = process.argv
if (!folder) throw new Error('Name the folder with model.json')
const model = kerasModel.parse(JSON.parse(readFileSync(join(folder, 'model.json'), 'utf8')))
const { layers } = model.modelTopology.model_config.config
writeFileSync(targetFile, describeModel(layers, readTensors(folder, model.weightsManifest[0])))

/** Reads the tensors. Kernels are stored as [height, width, in, out]; ONNX needs [out, in, height, width]. */
function readTensors(
  modelFolder: string,
  { paths, weights }: z.output<typeof kerasModel>['weightsManifest'][0],
): Tensor[] {
  const bytes = readFileSync(join(modelFolder, paths[0]))
  let offset = 0
  return weights.map(({ name, shape }) => {
    const count = shape.reduce((product, side) => product * side, 1)
    const data = bytes.subarray(offset, offset + count * 4)
    offset += count * 4
    if (shape.length !== 4) return { name, shape, data }
    return { name, ...transposeKernel(shape, data) }
  })
}

function transposeKernel(shape: readonly number[], data: Buffer) {
  const [height = 0, width = 0, inputs = 0, outputs = 0] = shape
  const transposed = Buffer.alloc(data.length)
  let position = 0
  for (let out = 0; out < outputs; out++)
    for (let input = 0; input < inputs; input++)
      for (let y = 0; y < height; y++)
        for (let x = 0; x < width; x++) {
          const source = ((y * width + x) * inputs + input) * outputs + out
          transposed.writeFloatLE(data.readFloatLE(source * 4), position)
          position += 4
        }
  return { shape: [outputs, inputs, height, width], data: transposed }
}

function describeModel(all: readonly Layer[], tensors: readonly Tensor[]): Buffer {
  const input = all[0]?.name ?? ''
  const output = all.at(-1)?.name ?? ''
  const scales = Buffer.alloc(16)
  for (const [i, scale] of [1, 1, 2, 2].entries()) scales.writeFloatLE(scale, i * 4)
  const graph = message(
    ...all.filter(({ name }) => name !== input).map((each) => field(1, nodeOf(each))),
    field(2, text('super-resolution')),
    ...[...tensors, { name: 'scales', shape: [4], data: scales }].map((tensor) =>
      field(5, tensorOf(tensor)),
    ),
    field(11, valueOf(input)),
    field(12, valueOf(output)),
  )
  return message(
    number(1, irVersion),
    field(2, text('lanternist')),
    field(7, graph),
    field(8, message(field(1, text('')), number(2, opsetVersion))),
  )
}

function nodeOf({ class_name, name, config, inbound_nodes }: Layer): Buffer {
  const inputs = (inbound_nodes[0] ?? []).map(([from]) => from)
  switch (class_name) {
    case 'Conv2D': {
      const [height, width] = config.kernel_size ?? [1, 1]
      const padding = [height, width, height, width].map((side) => (side - 1) / 2)
      return node('Conv', [...inputs, `${name}/kernel`, `${name}/bias`], name, [
        integers('pads', padding),
      ])
    }
    case 'Activation':
      return node('Relu', inputs, name, [])
    case 'Concatenate':
      return node('Concat', inputs, name, [integer('axis', 1)])
    case 'Add':
      return node('Add', inputs, name, [])
    case 'UpSampling2D':
      return node('Resize', [...inputs, '', 'scales'], name, [
        words('mode', 'nearest'),
        words('coordinate_transformation_mode', 'asymmetric'),
        words('nearest_mode', 'floor'),
      ])
    case 'InputLayer':
      throw new Error('An input computes nothing')
  }
}

// The functions below write ONNX's protobuf messages. The numbers are the fields of onnx.proto.

function node(op: string, inputs: readonly string[], output: string, attributes: Buffer[]): Buffer {
  return message(
    ...inputs.map((input) => field(1, text(input))),
    field(2, text(output)),
    field(3, text(output)),
    field(4, text(op)),
    ...attributes.map((attribute) => field(5, attribute)),
  )
}

function integer(name: string, value: number): Buffer {
  return message(field(1, text(name)), number(3, value), number(20, 2))
}

function integers(name: string, values: readonly number[]): Buffer {
  return message(field(1, text(name)), ...values.map((value) => number(8, value)), number(20, 7))
}

function words(name: string, value: string): Buffer {
  return message(field(1, text(name)), field(4, text(value)), number(20, 3))
}

function tensorOf({ name, shape, data }: Tensor): Buffer {
  return message(
    ...shape.map((side) => number(1, side)),
    number(2, floatType),
    field(8, text(name)),
    field(9, data),
  )
}

/** Describes a batch of three-channel pictures of any size. */
function valueOf(name: string): Buffer {
  const sides = ['batch', '3', `${name}-height`, `${name}-width`].map((side) =>
    field(1, side === '3' ? number(1, 3) : field(2, text(side))),
  )
  const shape = message(...sides)
  const tensorType = message(number(1, floatType), field(2, shape))
  return message(field(1, text(name)), field(2, field(1, tensorType)))
}

function message(...parts: readonly Buffer[]): Buffer {
  return Buffer.concat(parts)
}

function field(id: number, data: Buffer): Buffer {
  return Buffer.concat([varint((id << 3) | 2), varint(data.length), data])
}

function number(id: number, value: number): Buffer {
  return Buffer.concat([varint(id << 3), varint(value)])
}

function text(value: string): Buffer {
  return Buffer.from(value)
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  while (rest > 127) {
    bytes.push((rest % 128) | 128)
    rest = Math.floor(rest / 128)
  }
  return Buffer.from([...bytes, rest])
}
