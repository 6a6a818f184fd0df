import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { openPrograms, sharesLoopback } from '../../src/providers/index.ts'
import { describePrograms, type StubTools } from '../../src/testing/index.ts'
import { describeWithBubblewrap } from '../bubblewrap/describe-with-bubblewrap.ts'
import { killFirst } from '../process/kill-daemon.ts'
import { openProvider } from '../process/open-provider.ts'
import { createAppdTools } from './appd-tools.ts'
import { commandLines } from './command-lines.ts'

let tools: StubTools

beforeAll(async () => {
  tools = await createAppdTools()
})

afterAll(() => tools.remove())

async function makeFixture(isolation: 'bubblewrap' | 'none') {
  const { provider, root, open, dispose } = await openProvider(tools, isolation)
  return {
    programs: openPrograms(provider),
    real: {
      another: async () => openPrograms(await open('here')),
      crash: (external_id: string) => killFirst(root, external_id),
      shared: sharesLoopback(provider),
      seen: async (external_id: string) =>
        [await readFile(join(root, external_id, 'state.json'), 'utf8'), await commandLines()].join('\n'),
    },
    dispose,
  }
}

describePrograms('processes without isolation', () => makeFixture('none'))

await describeWithBubblewrap('programs', () => {
  describePrograms('processes with bubblewrap', () => makeFixture('bubblewrap'))
})
