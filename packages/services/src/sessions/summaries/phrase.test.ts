import { expect, test } from 'vitest'
import { askPhrase } from './phrase.ts'

test('a command that is asked for is shown as it is, whatever signs would turn it', () => {
  expect(askPhrase('permission', { permission: 'bash', patterns: [] }, 'cat \u202etxt.sh\u202c')).toBe(
    'Wants to run cat ⟨U+202E⟩txt.sh⟨U+202C⟩',
  )
})
