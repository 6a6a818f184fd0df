import { afterAll, beforeAll, describe } from 'vitest'
import { coderFile } from './coder-file.ts'
import type { Dialect } from './dialects.ts'
import { makeSandbox, type Sandbox } from './sandbox.ts'

/**
 * A file of tests of the daemon with a real runtime beside it; skipped on a machine that has none. Behaviour that
 * both runtimes share is tried with pi, which starts at a fraction of the cost.
 */
export function describeDaemon(
  dialect: Dialect,
  address: string,
  tests: (sandbox: () => Sandbox) => void,
): void {
  describe.skipIf(dialect.missing !== null)(`the daemon at ${address}`, () => {
    let sandbox: Sandbox | undefined
    beforeAll(async () => {
      const { name } = dialect
      const isDefault = name === 'agentrt'
      sandbox = await makeSandbox({
        ...(await dialect.make()),
        address,
        ...(!isDefault && { runtime_name: name }),
      })
      sandbox.origin.commit('main', {
        'README.md': 'hello\n',
        '.svc/agentrt/agents/coder.md': coderFile,
        ...(!isDefault && { 'svc.yaml': `svc_version: 2\nruntime: ${name}\n` }),
      })
      sandbox.origin.commit(sandbox.session_id, {}, 'main')
    })
    afterAll(() => sandbox?.close())
    tests(() => {
      if (!sandbox) throw new Error('no sandbox')
      return sandbox
    })
  })
}
