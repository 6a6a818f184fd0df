import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ToolSources } from '../shared/tools/tools.ts'
import { stubAgent } from './stub-agent.ts'

export interface StubTools {
  readonly sources: ToolSources
  remove(): Promise<void>
}

/** Tools whose daemon is the stub, in a folder that is closed to other users, as a person's home is. */
export async function createStubTools(): Promise<StubTools> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-stub-tools-'))
  const agent = join(folder, 'agent.js')
  await writeFile(agent, stubAgent, { mode: 0o600 })
  return {
    sources: { node: process.execPath, agent_bundle: agent, cli_folder: null, runtimes: { agentrt: null } },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
