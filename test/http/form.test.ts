import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FileTooLarge, readForm } from '../../src/server/http/form.ts'
import { Problem } from '../../src/server/problem.ts'

type Read = { fields: Record<string, string>; files: Record<string, string>; failure: string }

const maxFileBytes = 1000
const outcomes: Read[] = []
const server = createServer((request, response) => {
  void answer(request, response)
})
let url: string

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const read: Read = { fields: {}, files: {}, failure: '' }
  try {
    for await (const part of readForm(request, { maxFileBytes })) {
      if (part.kind === 'field') read.fields[part.name] = part.value
      else {
        let text = ''
        for await (const chunk of part.content) text += Buffer.from(chunk).toString('latin1')
        read.files[part.fileName] = text
      }
    }
  } catch (error) {
    if (error instanceof FileTooLarge) read.failure = 'too large'
    else if (error instanceof Problem) read.failure = String(error.body['message'])
    else throw error
  }
  outcomes.push(read)
  response.end(JSON.stringify(read))
}

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

async function post(form: FormData | string, contentType?: string): Promise<Read> {
  const response = await fetch(url, {
    method: 'POST',
    body: form,
    ...(contentType && { headers: { 'content-type': contentType } }),
  })
  return (await response.json()) as Read
}

function formOf(...parts: [string, string | File][]): FormData {
  const form = new FormData()
  for (const [name, value] of parts) form.append(name, value)
  return form
}

describe('a form', () => {
  test('gives its fields and its file, in any order, with the name as it was sent', async () => {
    const file = new File(['bytes'], '../ü/b.png', { type: 'image/png' })
    const read = await post(formOf(['a', '1'], ['file', file], ['b', 'zwei ü']))
    expect(read).toEqual({
      fields: { a: '1', b: 'zwei ü' },
      files: { '../ü/b.png': 'bytes' },
      failure: '',
    })
  })

  test('takes a file of exactly the limit, and stops one byte past it', async () => {
    const of = (size: number) => formOf(['file', new File(['x'.repeat(size)], 'a')])
    expect((await post(of(maxFileBytes))).files['a']).toHaveLength(maxFileBytes)
    expect(await post(of(maxFileBytes + 1))).toMatchObject({ files: {}, failure: 'too large' })
  })

  test('has one file and twenty fields at most', async () => {
    const two = formOf(['a', new File(['1'], 'a')], ['b', new File(['2'], 'b')])
    expect((await post(two)).failure).toBe('The form has too many parts')
    const many = formOf(...Array.from({ length: 21 }, (_, i): [string, string] => [`f${i}`, 'x']))
    expect((await post(many)).failure).toBe('The form has too many parts')
  })

  test('is refused without a boundary, when it is cut short, and with what cannot be stored', async () => {
    expect((await post('x', 'multipart/form-data')).failure).toBe('The form has no boundary')
    const cut = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nhal'
    expect((await post(cut, 'multipart/form-data; boundary=b')).failure).toBe(
      'The form cannot be read',
    )
    expect((await post(formOf(['a', 'nul \u0000 byte']))).failure).toBe(
      'The form holds characters that cannot be stored',
    )
  })

  test('that is broken off ends in a failure, and nothing waits for the rest', async () => {
    const before = outcomes.length
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write(
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5000\r\n' +
        'content-type: multipart/form-data; boundary=b\r\n\r\n' +
        '--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nsome bytes',
    )
    await new Promise((resolve) => setTimeout(resolve, 50))
    socket.destroy()
    await expect.poll(() => outcomes.length).toBe(before + 1)
    expect(outcomes.at(-1)).toMatchObject({ files: {}, failure: 'The upload was broken off' })
  })
})
