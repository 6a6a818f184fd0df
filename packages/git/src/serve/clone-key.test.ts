import { expect, test } from 'vitest'
import { cloneKey } from './clone-key.ts'
import { parsePktLines, pktLine } from './pkt-lines.ts'

const sha = 'a'.repeat(40)
const other = 'b'.repeat(40)

/** A request as git 2.39 sends it. */
function request(agent: string, args: readonly string[]): Buffer {
  const head = ['command=fetch', `agent=${agent}`, 'object-format=sha1'].map(pktLine).join('')
  return Buffer.from(`${head}0001${args.map((line) => pktLine(`${line}\n`)).join('')}0000`)
}

const clone = ['thin-pack', 'no-progress', 'ofs-delta', `want ${sha}`, 'done']

test('whoever asks for the same pack from nothing asks the same', () => {
  const key = cloneKey(request('git/2.39.5', clone))
  expect(key).toMatch(/^[0-9a-f]{64}$/)
  expect(cloneKey(request('git/2.51.0-Darwin', clone))).toBe(key)
})

test.each([
  ['another commit', ['thin-pack', 'no-progress', 'ofs-delta', `want ${other}`, 'done']],
  ['one commit deep', ['thin-pack', 'no-progress', 'ofs-delta', `want ${sha}`, 'deepen 1', 'done']],
  ['without blobs', ['thin-pack', 'no-progress', 'ofs-delta', `want ${sha}`, 'filter blob:none', 'done']],
  ['with progress', ['thin-pack', 'ofs-delta', `want ${sha}`, 'done']],
])('%s is another request', (_, args) => {
  const key = cloneKey(request('git/2.39.5', args))
  expect(key).not.toBeNull()
  expect(key).not.toBe(cloneKey(request('git/2.39.5', clone)))
})

test.each([
  ['a client that has something', [...clone.slice(0, 4), `have ${other}`, 'done']],
  ['a client that is shallow already', [...clone.slice(0, 4), `shallow ${other}`, 'done']],
  ['a negotiation that goes on', clone.slice(0, 4)],
  ['a depth by a ref, which moves', [...clone.slice(0, 4), 'deepen-not main', 'done']],
  ['a ref by its name', ['want-ref refs/heads/main', 'done']],
  ['an argument that nobody knows', [...clone, 'surprise']],
])('%s is answered by git', (_, args) => {
  expect(cloneKey(request('git/2.39.5', args))).toBeNull()
})

test.each(['', '00', 'zzzzcommand=fetch', '0003', 'ffffcommand=fetch', '0014command=ls-refs\n0000'])(
  'no clone: %j',
  (text) => expect(cloneKey(Buffer.from(text))).toBeNull(),
)

test('a line that is longer than the body is no line', () => {
  expect(parsePktLines(Buffer.from('0009hello'))).toEqual(['hello'])
  expect(parsePktLines(Buffer.from('000ahello'))).toBeNull()
})
