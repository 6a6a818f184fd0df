import { randomUUID } from 'node:crypto'
import * as contract from '@svc/contract'

export interface Operation {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly has_body: boolean
}

const nouns = [
  contract.accounts,
  contract.changeRequests,
  contract.files,
  contract.projects,
  contract.sandboxIdentity,
  contract.secrets,
  contract.sessions,
  contract.triggers,
]

/** Every route object of the contract, so that a new one is tried the day it is written. */
export const operations: readonly Operation[] = nouns
  .flatMap((noun) => Object.values(noun))
  .flatMap((value: unknown) => {
    if (typeof value !== 'object' || value === null) return []
    if (!('operationId' in value) || !('path' in value) || !('method' in value)) return []
    const { operationId: name, path, method } = value
    if (typeof name !== 'string' || typeof path !== 'string' || typeof method !== 'string') return []
    const request = 'request' in value ? value.request : undefined
    const has_body = typeof request === 'object' && request !== null && 'body' in request
    return [{ name, path, method: method.toUpperCase(), has_body }]
  })

/** The path with its parameters filled in: the project's, and one value for every other. */
export function fill(path: string, project: string, other: string): string {
  return path
    .replace('{project_id}', project)
    .replaceAll('{name}', 'NAME')
    .replaceAll(/\{[a-z_]+\}/g, other)
}

const session = { session_id: randomUUID() }

/** Bodies that pass the contract, where `{}` does not. */
export const validBodies: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  createToken: { name: 'x' },
  connectProject: { name: 'x', repo_url: 'file:///nowhere' },
  provisionProject: { name: 'x' },
  createSecret: { name: 'X', value: 'y' },
  putSecret: { value: 'y' },
  promptSession: { text: 'hello' },
  answerAsk: { reject: true },
  createChangeRequest: { title: 'x', head_ref: 'x' },
  requestChanges: { feedback: 'x' },
  createTrigger: { slug: 'x', type: 'cron' },
  setTriggerActivation: { paused: false },
  reportTurnStream: { ...session, kind: 'execution_lease_release' },
  reportTurnQuestion: { ...session, request_id: 'x', questions: [] },
  reportTurnPermission: { ...session, request_id: 'x', permission: 'bash', patterns: [] },
}
