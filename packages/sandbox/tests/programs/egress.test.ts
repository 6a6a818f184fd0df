import { afterAll, beforeAll } from 'vitest'
import { openPrograms } from '../../src/providers/index.ts'
import type { StubTools } from '../../src/testing/index.ts'
import { describeWithBubblewrap } from '../bubblewrap/describe-with-bubblewrap.ts'
import { describeWithDocker } from '../docker/engine.ts'
import { openDocker } from '../docker/open-docker.ts'
import { openProvider } from '../process/open-provider.ts'
import { createAppdTools } from './appd-tools.ts'
import { describeProgramEgress } from './describe-egress.ts'

let tools: StubTools
beforeAll(async () => {
  tools = await createAppdTools()
})
afterAll(() => tools.remove())

await describeWithBubblewrap('the way out of programs', () => {
  describeProgramEgress('a bubblewrap', async (egress, api_url) => {
    const { provider, dispose } = await openProvider(tools, 'bubblewrap', { egress, api_url })
    return { programs: openPrograms(provider), dispose }
  })
})

describeWithDocker('the way out of programs', (engine) => {
  describeProgramEgress('a container', async (egress, api_url) => {
    const { provider, dispose } = await openDocker(tools, engine, { egress, api_url })
    return { programs: openPrograms(provider), dispose }
  })
})
