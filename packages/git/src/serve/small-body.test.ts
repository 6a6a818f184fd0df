import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { smallBody } from './small-body.ts'

const chunks = [Buffer.from('abc'), Buffer.from('def'), Buffer.from('gh')]

test('a body within the limit is whole, and each chunk of it is counted', async () => {
  const moved: number[] = []
  expect(await smallBody(Readable.from(chunks), 8, (bytes) => void moved.push(bytes))).toEqual(
    Buffer.from('abcdefgh'),
  )
  expect(moved).toEqual([3, 3, 2])
  expect(await smallBody(Readable.from([]), 8, () => undefined)).toEqual(Buffer.alloc(0))
})

test('a longer one is left as it was', async () => {
  const body = Readable.from(chunks, { objectMode: false })
  expect(await smallBody(body, 5, () => undefined)).toBeNull()
  const rest = await buffer(body)
  expect(rest).toEqual(Buffer.from('abcdefgh'))
})
