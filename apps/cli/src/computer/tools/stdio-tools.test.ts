import { expect, test } from 'vitest'
import { wordsIn } from './stdio-tools.ts'

test.each([
  ['node server.js', ['node', 'server.js']],
  [`"/a b/node" 's x.js' --n=1`, ['/a b/node', 's x.js', '--n=1']],
  [`npx -y pack --dir="a \\"b\\""c`, ['npx', '-y', 'pack', '--dir=a "b"c']],
  ['  ', []],
])('%s is read as %j', (command, words) => {
  expect(wordsIn(command)).toEqual(words)
})
