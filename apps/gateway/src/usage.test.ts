import { expect, test } from 'vitest'
import { usageReader } from './usage.ts'

const read = (...parts: string[]) => {
  const usage = usageReader()
  for (const part of parts) usage.add(Buffer.from(part))
  return usage.read()
}

test.each([
  [{ input: 5, output: 7 }, ['{"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":7}}']],
  [
    { input: 5, output: 7 },
    [
      'data: {"usage":null}\n\n',
      'data: {"usage": {"prompt_tokens":5,"details":{"a":1},"compl',
      'etion_tokens":7}}\n\ndata: [DONE]\n\n',
    ],
  ],
  [
    { input: 2, output: 3 },
    [
      'data: {"usage":{"prompt_tokens":2,"completion_tokens":1}}\n\ndata: {"usage":{"prompt_tokens":2,"completion_tokens":3}}',
    ],
  ],
  [{ input: 0, output: 0 }, ['{"usage":{"prompt_tokens":-1,"completion_tokens":"x"}}']],
  [{ input: 0, output: 0 }, ['no usage at all']],
])('the tokens are %j', (tokens, parts) => {
  expect(read(...parts)).toEqual(tokens)
})
