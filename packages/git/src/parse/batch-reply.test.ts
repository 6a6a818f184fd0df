import { expect, test } from 'vitest'
import { takeReply } from './batch-reply.ts'

const sha = 'a'.repeat(40)
const take = (text: string, with_content: boolean) => takeReply(Buffer.from(text), with_content)

test('a header alone', () => {
  expect(take(`${sha} blob 5\nnext`, false)).toEqual({
    object: { sha, type: 'blob', size: 5, content: Buffer.alloc(0) },
    rest: Buffer.from('next'),
  })
})

test('contents of any bytes, to the last one', () => {
  expect(take(`${sha} blob 5\na\nb\nc\n${sha} tree`, true)).toEqual({
    object: { sha, type: 'blob', size: 5, content: Buffer.from('a\nb\nc') },
    rest: Buffer.from(`${sha} tree`),
  })
  expect(take(`${sha} blob 0\n\n`, true)).toMatchObject({ object: { size: 0 }, rest: Buffer.alloc(0) })
})

test.each([`${sha}:svc.yaml missing\nrest`, 'abc ambiguous\nrest'])('%j means nothing', (text) =>
  expect(take(text, true)).toEqual({ object: null, rest: Buffer.from('rest') }),
)

test.each([sha, `${sha} blob 5\na\nb\nc`, ''])('%j is not whole', (text) =>
  expect(take(text, true)).toBe(null),
)
