import { randomUUID } from 'node:crypto'
import type { Ids } from '../objects.ts'
import type { TestPlatform } from '../platform.ts'

/** The inputs that one request needs; any value does for the rest. */
export interface RequestInputs {
  readonly ids?: Ids
  readonly body?: Readonly<Record<string, unknown>>
  readonly token?: string
  readonly user_id?: string
}

/** The platform of a walk, and one object of each kind. */
export interface Stage {
  readonly platform: TestPlatform
  readonly objects: Ids
}

export type Prepare = (stage: Stage) => Promise<RequestInputs>

export const some = () => `x${randomUUID().slice(0, 8)}`

export async function ask({ platform }: Stage, method: string, path: string, json?: unknown) {
  const { token } = platform.owner
  const answer = await platform.call(path, { method, token, ...(json === undefined ? {} : { json }) })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return answer
}

export const inProject = ({ objects }: Stage) => `/v1/projects/${objects['project_id']}`
export const inAccount = ({ objects }: Stage) => `/v1/accounts/${objects['account_id']}`
