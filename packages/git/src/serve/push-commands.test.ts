import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { pktLine } from './pkt-lines.ts'
import { pushedBranches } from './push-commands.ts'

const id = 'a'.repeat(40)
const line = (ref: string, more = '') => pktLine(`${id} ${id} ${ref}${more}`)
const streamed = (text: string, step = text.length) =>
  Readable.from(
    Array.from({ length: Math.ceil(text.length / step) }, (_, n) =>
      Buffer.from(text.slice(n * step, (n + 1) * step)),
    ),
  )
const branches = (text: string, step?: number) => pushedBranches(streamed(text, step), () => {})

test('the branches of a push are read, however its body is cut, and the body is whole afterwards', async () => {
  const body = `${pktLine(`shallow ${id}`)}${line('refs/heads/a', '\0report-status side-band-64k')}${line('refs/tags/v1')}${line('refs/heads/b/c\n')}0000PACK…`
  for (const step of [1, 7, body.length]) {
    const stream = streamed(body, step)
    expect(await pushedBranches(stream, () => {})).toEqual(['a', 'b/c'])
    const rest = (await stream.toArray()).map((chunk) => Buffer.from(chunk as Uint8Array))
    expect(Buffer.concat(rest).toString()).toBe(Buffer.from(body).toString())
  }
})

test('a probe of a client that is about to push names nothing', async () => {
  expect(await branches('0000')).toEqual([])
})

test.each([
  ['a certificate', pktLine('push-cert\0report-status') + '0000'],
  ['a delimiter', `0001${line('refs/heads/a')}0000`],
  ['no commands', 'PACK and so on, for a while'],
  ['an end in the middle', line('refs/heads/a').slice(0, -3)],
  ['no flush', line('refs/heads/a')],
  ['short ids', `${pktLine('abc def refs/heads/a')}0000`],
])('%s is refused', async (_, body) => {
  await expect(branches(body)).rejects.toMatchObject({ code: 'invalid_request' })
})

test('more refs than anybody pushes are refused', async () => {
  const many = Array.from({ length: 1_001 }, (_, n) => line(`refs/heads/${n}`)).join('')
  await expect(branches(`${many}0000`)).rejects.toThrow('at most 1000 refs')
})
