import { expect, it } from 'vitest'
import { createStubTools } from '../../src/testing/index.ts'
import { describeIsolation } from '../describe-isolation.ts'
import { describeWithBubblewrap } from './describe-with-bubblewrap.ts'
import { openUnprivileged } from './open-unprivileged.ts'

/** Elsewhere every other test of a bubblewrap is of an ordinary user already. */
if (process.getuid?.() === 0) {
  await describeWithBubblewrap('hostile sandboxes of an ordinary user', () => {
    describeIsolation('an ordinary user’s platform', openUnprivileged)

    it('an ordinary user’s platform says what it cannot hold', async () => {
      const stub = await createStubTools()
      const { description, dispose } = await openUnprivileged(stub, { api_url: 'http://127.0.0.1:1/v1' })
      expect(description.isolated.join('\n')).toMatch(/network: each sandbox has its own[^]*pids: limited/)
      expect(description.not_isolated.join('\n')).toMatch(/memory: measured[^]*cpu: not limited[^]*users:/)
      await dispose()
      await stub.remove()
    })
  })
} else {
  it.todo('as root: an ordinary user’s platform beside it')
}
