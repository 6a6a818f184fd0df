import { expect, test } from 'vitest'
import { dialectNames } from './dialect.ts'
import { dialects } from './dialects.ts'
import { parseBody } from './kit/body.ts'

test.each(dialectNames)('%s is listed under its own name', (name) => expect(dialects[name].name).toBe(name))

test('embeddings have an input alone', () => {
  const body = parseBody('{"input":["a","b"],"model":"e"}')
  expect(dialects.embeddings.read(body)).toMatchObject({
    model: 'e',
    output_limit: 0,
    has_output: false,
    n: 1,
  })
  expect(dialects.embeddings.edit(body, { model: 'up', output_limit: 5 })).toBe(
    '{"input":["a","b"],"model":"up"}',
  )
  expect(dialects.embeddings.readAnswer({ usage: { prompt_tokens: 4 } }).usage?.input_tokens).toBe(4)
  expect(() => dialects.embeddings.read(parseBody('{"model":"e"}'))).toThrow('input: must be a text')
})
