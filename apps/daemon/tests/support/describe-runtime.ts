import { afterAll, beforeAll, describe } from 'vitest'
import type { Dialect } from './dialects.ts'
import { testAgentFiles } from './runtime/agent-files.ts'
import { testRestarts } from './runtime/restarts.ts'
import { runtimeTests } from './runtime/runtime-tests.ts'
import { testTools } from './runtime/tools.ts'
import { testTurns } from './runtime/turns.ts'
import { runtimeFiles } from './runtime-files.ts'
import { makeSandbox, type Sandbox } from './sandbox.ts'

/**
 * The platform's expectations of every agent runtime, tried on the real one behind the daemon as it is shipped. One sandbox
 * goes through all of them in this order: a start costs more than the tests, and later ones ask what is left of earlier ones.
 */
export function describeRuntime(dialect: Dialect, address: string): void {
  describe.skipIf(dialect.missing !== null)(`the runtime ${dialect.title ?? dialect.name}`, () => {
    let sandbox: Sandbox

    beforeAll(async () => {
      sandbox = await makeSandbox({ ...(await dialect.make()), address, runtime_name: dialect.name })
      sandbox.origin.commit('main', runtimeFiles(dialect.name))
      sandbox.origin.commit(sandbox.session_id, {}, 'main')
      sandbox.start()
      await sandbox.ready()
    })
    afterAll(() => sandbox.close())

    const tests = runtimeTests(dialect, () => sandbox)
    testTurns(tests)
    testAgentFiles(tests)
    testTools(tests)
    testRestarts(tests)
  })
}
