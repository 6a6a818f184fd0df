import { describe, expect, it } from 'vitest'
import { whySentence } from './module.ts'

const provider = (name: string, not_isolated: readonly string[], isolated: readonly string[] = []) => ({
  name,
  describe: () => ({ name, isolated, not_isolated }),
})

describe('whySentence', () => {
  it('names what isolates, and in a word what is kept apart and what is not', () => {
    const words = ['files: its own', 'pids, cpu: limited']
    expect(whySentence('auto', provider('bubblewrap', ['disk: measured'], words))).toBe(
      'Sandboxes are isolated with bubblewrap (SVC_SANDBOX_PROVIDER=auto): files, pids, cpu; not: disk.',
    )
  })

  it('says plainly that nothing does, and why', () => {
    expect(whySentence('auto', provider('process', ['no sandboxing: because bwrap is not installed']))).toBe(
      'Sandboxes are not isolated (SVC_SANDBOX_PROVIDER=auto): no sandboxing: because bwrap is not installed.',
    )
  })
})
