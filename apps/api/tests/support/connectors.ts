import { randomUUID } from 'node:crypto'
import { type ComputerDoor, noExecutor } from '@svc/connectors'
import { createExecutor, type LocalExecutor } from '@svc/connectors/executor'
import { moveBranch, readFile, resolveBranch, writeCommit } from '@svc/git'
import { guardedWire } from '@svc/outbound'
import { createComputerHub, createProviders } from '@svc/upstream'
import type { ApiParts } from '../../src/index.ts'
import type { Person } from './credentials.ts'
import type { TestPlatform } from './platform.ts'

export interface TestExecutor {
  readonly executor: LocalExecutor
  readonly computer_door: ComputerDoor
  close(): Promise<void>
}

/** The part that asks other services: here those of this machine alone. */
export function testExecutor(parts: ApiParts): TestExecutor {
  const wire = guardedWire({ open: ['127.0.0.0/8'] })
  const stop = new AbortController()
  const hub = createComputerHub()
  const executor = createExecutor({
    ...parts,
    locks: parts.db,
    signal: stop.signal,
    ...{ providers: createProviders({ wire, computers: hub }).of, wire },
    computers: { hub, holder: randomUUID(), address: null, peer: () => noExecutor },
    connector_settings: { approval_sign_in_minutes: 60, call_days: 90 },
  })
  return {
    executor,
    computer_door: async (key, upgrade) => executor.accept(key, upgrade),
    close: async () => {
      await hub.close()
      stop.abort()
      await wire.close()
    },
  }
}

/** Nothing listens there: a call that is carried out is refused. */
const nobody = 'http://127.0.0.1:1'

const nightly = `
  - slug: nightly
    provider: http
    base_url: ${nobody}
    auth:
      type: bearer
`

/** Declares a connector of a project on its default branch: `nightly` unless another is given. */
export async function declareConnector(
  { parts }: Pick<TestPlatform, 'parts'>,
  project_id: string,
  connector = nightly,
) {
  const signal = new AbortController().signal
  const repository = await parts.repositories.open({ kind: 'managed', project_id }, { signal })
  const parent_sha = await resolveBranch(repository, 'main')
  const read = { ref: parent_sha ?? '', path: 'svc.yaml', max_bytes: 1_000_000 }
  const manifest = Buffer.from((await readFile(repository, read))?.content ?? '').toString()
  const to_sha = await writeCommit(repository, {
    parent_sha,
    changes: [{ path: 'svc.yaml', content: `${manifest}\nconnectors:\n${connector}` }],
    message: 'Declare a connector',
    committed_at: new Date(),
  })
  const moved = await moveBranch(repository, { branch: 'main', from_sha: parent_sha, to_sha })
  if (moved.kind !== 'moved') throw new Error(`The connector was not declared: ${moved.kind}`)
}

export interface FrozenCall {
  readonly call_id: string
  readonly digest: string
}

/** A call of `nightly` that waits for a person, since it writes; its connection has to be there. */
export async function freezeCall(
  { call }: Pick<TestPlatform, 'call'>,
  { token }: Pick<Person, 'token'>,
  project_id: string,
): Promise<FrozenCall> {
  const answer = await call(`/v1/projects/${project_id}/connector-calls`, {
    ...{ method: 'POST', token },
    json: { connector: 'nightly', action: 'post', args: { path: '/x' }, wait_seconds: 0 },
  })
  if (answer.status !== 202) throw new Error(`The call does not wait: ${answer.status} ${answer.text}`)
  return { call_id: answer.pick('call_id'), digest: answer.pick('digest') }
}
