import { describe, it } from 'vitest'
import { createStubTools } from '../../src/testing/index.ts'
import { openProvider } from '../process/open-provider.ts'

/** Tests that need bubblewrap: skipped with a printed reason where it does not work, and failed in CI. */
export async function describeWithBubblewrap(name: string, tests: () => void): Promise<void> {
  const reason = await whyNot()
  if (reason === null) return tests()
  if (process.env['CI'] === undefined) {
    console.warn(`Skipped: ${name} with bubblewrap, because ${reason}`)
    describe.skip(`${name} with bubblewrap`, () => {
      it('needs bubblewrap')
    })
    return
  }
  it(`${name} with bubblewrap`, () => {
    throw new Error(`bubblewrap must work in CI: ${reason}`)
  })
}

async function whyNot(): Promise<string | null> {
  const stub = await createStubTools()
  try {
    await (await openProvider(stub, 'bubblewrap')).dispose()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await stub.remove()
  }
}
