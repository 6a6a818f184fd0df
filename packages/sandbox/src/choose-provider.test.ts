import { describe, expect, it } from 'vitest'
import { whySentence } from './choose-provider.ts'

const provider = (name: string, not_isolated: readonly string[]) => ({
  name,
  describe: () => ({ name, isolated: [], not_isolated }),
})

describe('whySentence', () => {
  it('names what isolates', () => {
    expect(whySentence('auto', provider('bubblewrap', []))).toBe(
      'Sandboxes are isolated with bubblewrap, which works on this machine (SVC_SANDBOX_PROVIDER=auto).',
    )
  })

  it('says plainly that nothing does, and why', () => {
    expect(whySentence('auto', provider('process', ['no sandboxing: because bwrap is not installed']))).toBe(
      'Sandboxes are not isolated (SVC_SANDBOX_PROVIDER=auto): no sandboxing: because bwrap is not installed.',
    )
  })
})
