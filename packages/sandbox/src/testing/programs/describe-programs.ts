import { describe } from 'vitest'
import { describeContract } from './contract.ts'
import { describeEnds } from './ends.ts'
import { describeFiles } from './files.ts'
import { describeFront } from './front.ts'
import { describeOutput } from './output.ts'
import { describeSecrets } from './secrets.ts'
import { fixtureOf, type ProgramsFixture } from './fixture.ts'

/** The tests that sandboxes of programs pass with every provider; `real: null` leaves out those that need processes. */
export function describePrograms(
  name: string,
  make: () => Promise<ProgramsFixture>,
  { runs = true }: { readonly runs?: boolean } = {},
): void {
  describe(`programs of ${name}`, () => {
    const current = fixtureOf(make)
    describeContract(current)
    if (!runs) return
    describeFiles(current)
    describeEnds(current)
    describeOutput(current)
    describeFront(current)
    describeSecrets(current)
  })
}
