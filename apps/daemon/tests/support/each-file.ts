import { afterAll, beforeAll, describe } from 'vitest'
import { builtDaemon } from './bundle.ts'
import { coderFile } from './coder-file.ts'
import { runtimeBinary } from './runtime-binary.ts'
import { makeSandbox, type Sandbox } from './sandbox.ts'

/** A file of tests on the real runtime; skipped, with the reason, on a machine that has no binary of it. */
export function describeDaemon(address: string, tests: (sandbox: () => Sandbox) => void): void {
  const runtime = runtimeBinary()
  if (runtime === null) {
    const reason = `no agent runtime for ${process.platform}-${process.arch}`
    if (process.env['CI'] !== undefined) throw new Error(reason)
    console.warn(`skipped: ${reason}`)
  }
  describe.skipIf(runtime === null)(`the daemon at ${address}`, () => {
    let sandbox: Sandbox | undefined
    beforeAll(async () => {
      sandbox = await makeSandbox({ bundle: await builtDaemon(), runtime: runtime ?? '', address })
      sandbox.origin.commit('main', { 'README.md': 'hello\n', '.svc/agentrt/agents/coder.md': coderFile })
      sandbox.origin.commit(sandbox.session_id, {}, 'main')
    })
    afterAll(() => sandbox?.close())
    tests(() => {
      if (!sandbox) throw new Error('no sandbox')
      return sandbox
    })
  })
}
