import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { reactions } from './matrix-reactions.ts'

test.each(reactions)('%s is a reaction that the adapter of Matrix puts under a card', (reaction) => {
  const source = new URL('../../../../../../packages/matrix/src/render/keys.ts', import.meta.url)
  expect(readFileSync(source, 'utf8')).toContain(`'${reaction}'`)
})
