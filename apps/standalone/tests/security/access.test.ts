import { randomUUID } from 'node:crypto'
import { type TestDatabase, testDatabase } from '@svc/db/testing'
import { createClient, type Project, type Session } from '@svc/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bash, commitAndPush, startSession, write } from '../support/sessions/agent.ts'
import { tryGit } from '../support/clients/git.ts'
import {
  acceptableBody,
  type PublishedApi,
  type PublishedOperation,
  readOpenApi,
} from '../support/clients/openapi.ts'
import { piProject } from '../support/sessions/pi-project.ts'
import { makePlace, type Platform, startOn } from '../support/platform/platform.ts'
import { type Answer, request } from '../support/clients/request.ts'
import { addAccount } from '../support/clients/second-account.ts'

const confidential = `confidential ${randomUUID()}`

let database: TestDatabase
let platform: Platform
let api: PublishedApi
let project: Project
let session: Session
let cr_id: string
let sha: string
let ownAgent: AgentTokens
let foreign: Record<string, string>

interface AgentTokens {
  readonly session: string
  readonly model: string
}

beforeAll(async () => {
  database = await testDatabase()
  platform = await startOn(await makePlace({ DATABASE_URL: database.connection_string }))
  api = await readOpenApi(platform.origin)
  const victim = await makeProject(platform.token, 'Victim')
  ;({ project, session, cr_id, sha, tokens: ownAgent } = victim)

  const stranger = await addAccount(database.db)
  const [neighbour, theirs] = [
    await makeProject(platform.token, 'Neighbour', piProject),
    await makeProject(stranger.token, 'Theirs', piProject),
  ]
  const minted = await platform.client.projects.tokens.create(neighbour.project.project_id)
  const revoked = await platform.client.tokens.create({ name: 'to be revoked' })
  await platform.client.tokens.revoke(revoked.token_id)
  foreign = {
    "another account's person": stranger.token,
    "another project's token": minted.token,
    "another project's push token": neighbour.push_token,
    "another project's session": neighbour.tokens.session,
    "another account's session": theirs.tokens.session,
    "another project's model key": neighbour.tokens.model,
    'a revoked token': revoked.token,
    'a token that was never issued': `${platform.token.slice(0, -1)}${platform.token.endsWith('a') ? 'b' : 'a'}`,
    'nothing at all': '',
  }
})
afterAll(async () => {
  await platform?.stop()
  await platform?.place.remove()
  await database?.close()
})

/** A project with something of every kind in it. */
async function makeProject(
  token: string,
  name: string,
  provision: typeof piProject = (client) => client.projects.provision({ name }),
) {
  const client = createClient({ api_url: `${platform.origin}/v1`, token })
  const made = await provision(client, token, name)
  const { project_id } = made
  await client.projects.secrets.set(project_id, 'PASSWORD', confidential)
  const { session: opened, turn } = await startSession(client, project_id, [
    write('notes.md', `${confidential}\n`),
    commitAndPush('Notes'),
    bash('svc cr open --title Notes'),
    bash('printf "%s %s" "$SVC_CLI_TOKEN" "$SVC_LLM_API_KEY"'),
  ])
  expect(turn, turn.outputs.join('\n')).toMatchObject({ status: 'completed' })
  const [cr] = (await client.projects.changeRequests.list(project_id)).items
  const [agent = '', model = ''] = (turn.outputs.at(-1) ?? '').trim().split(' ')
  expect(agent).toMatch(/^svc_pat_/)
  expect(model).toMatch(/^svc_gw_/)
  return {
    project: made,
    push_token: made.push_token ?? '',
    session: await client.projects.sessions.get(project_id, opened.session_id),
    cr_id: cr?.cr_id ?? '',
    /** The commit that holds what is confidential. */
    sha: cr?.head_commit_sha ?? '',
    tokens: { session: agent, model },
  }
}

function send(operation: PublishedOperation, token: string): Promise<Answer> {
  const known: Readonly<Record<string, string>> = {
    project_id: project.project_id,
    session_id: session.session_id,
    cr_id,
    sha,
    name: 'PASSWORD',
    slug: 'hook',
    request_id: 'ask-1',
  }
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => known[name] ?? randomUUID())
  const queries: Readonly<Record<string, string>> = {
    readFile: '?path=notes.md',
    removeGatewayPrice: '?model=acme/great',
  }
  const query = queries[operation.name] ?? ''
  return request(platform.origin, `${operation.method} ${path}${query}`, {
    token: token === '' ? null : token,
    ...(operation.has_body ? { json: acceptableBody(operation, session.session_id) } : {}),
  })
}

/** The facts of the other project that the caller learned, if any. */
function leaks({ text }: Answer): string[] {
  return [confidential, project.project_id, session.session_id, cr_id].filter((secret) =>
    text.includes(secret),
  )
}

const credentials = [
  "another account's person",
  "another project's token",
  "another project's push token",
  "another project's session",
  "another account's session",
  "another project's model key",
  'a revoked token',
  'a token that was never issued',
  'nothing at all',
]

describe.each(credentials)('with %s', (name) => {
  test('every route of a project answers 401, 403 or 404, and no data', async () => {
    const routes = api.operations.filter(({ path }) => path.includes('{project_id}'))
    expect(routes.length).toBeGreaterThan(30)
    const wrong: string[] = []
    for (const operation of routes) {
      const answer = await send(operation, foreign[name] ?? '')
      if (![401, 403, 404].includes(answer.status) || answer.text.includes(confidential))
        wrong.push(`${operation.method} ${operation.path}: ${answer.status} ${answer.text.slice(0, 200)}`)
    }
    expect(wrong).toEqual([])
  })

  test('the other routes show nothing of it', async () => {
    for (const operation of api.operations.filter(({ path }) => !path.includes('{project_id}'))) {
      const answer = await send(operation, foreign[name] ?? '')
      expect(leaks(answer), operation.path).toEqual([])
      expect(answer.status, operation.path).toBeLessThan(500)
    }
  })

  test('neither its git repository nor its sandbox opens', async () => {
    const token = foreign[name] ?? ''
    const listed = await tryGit(['ls-remote', project.repo_url], token === '' ? {} : { token })
    expect(listed).toMatchObject({ stdout: '' })
    expect(listed.code).not.toBe(0)
    for (const path of ['8000/svc/runtime/state', '8000/svc/runtime/files/content?path=notes.md', '3000/']) {
      const answer = await request(platform.origin, `GET /v1/p/${session.external_id ?? ''}/${path}`, {
        token: token === '' ? null : token,
      })
      expect([401, 403, 404], `${path} ${answer.text}`).toContain(answer.status)
    }
  })
})

test('nothing of all this changed anything', async () => {
  const { projects } = platform.client
  expect(await projects.get(project.project_id)).toMatchObject({ name: 'Victim', status: 'active' })
  expect(await projects.sessions.get(project.project_id, session.session_id)).toMatchObject({
    status: 'running',
    name: null,
  })
  expect(await projects.changeRequests.get(project.project_id, cr_id)).toMatchObject({
    status: 'open',
    title: 'Notes',
  })
  expect((await projects.secrets.list(project.project_id)).items.map(({ name }) => name)).toEqual([
    'PASSWORD',
  ])
})

test('invariant 4: a session’s own token reaches its project, and no account, member or credential', async () => {
  const own = createClient({ api_url: `${platform.origin}/v1`, token: ownAgent.session })
  expect(await own.projects.changeRequests.get(project.project_id, cr_id)).toMatchObject({ cr_id })
  await expect(own.me()).rejects.toMatchObject({ status: 403 })
  await expect(own.tokens.create({ name: 'more' })).rejects.toMatchObject({ status: 403 })
  await expect(own.projects.tokens.create(project.project_id)).rejects.toMatchObject({ status: 403 })
  await expect(own.projects.secrets.list(project.project_id)).rejects.toMatchObject({ status: 403 })
  await expect(own.projects.archive(project.project_id)).rejects.toMatchObject({ status: 403 })
})

test('invariant 4: a revoked token has its own code, from the next request on', async () => {
  const { token, token_id } = await platform.client.tokens.create({ name: 'short' })
  const own = createClient({ api_url: `${platform.origin}/v1`, token })
  await own.me()
  await platform.client.tokens.revoke(token_id)
  await expect(own.me()).rejects.toMatchObject({ status: 401, code: 'session_token_revoked' })
})

test('a deleted session’s token has ended with it', async () => {
  await platform.client.projects.sessions.delete(project.project_id, session.session_id)
  const own = createClient({ api_url: `${platform.origin}/v1`, token: ownAgent.session })
  await expect(own.projects.get(project.project_id)).rejects.toMatchObject({
    status: 401,
    code: 'session_token_revoked',
  })
})

test('the public routes need no token, and the document names the origin it was asked at', async () => {
  for (const path of ['/v1/health', '/healthz', '/readyz', '/v1/docs', '/v1/openapi.json']) {
    expect(await request(platform.origin, `GET ${path}`), path).toMatchObject({ status: 200 })
  }
  expect(api.servers).toEqual([platform.origin])
  const elsewhere = platform.origin.replace('127.0.0.1', 'localhost')
  expect((await readOpenApi(elsewhere)).servers).toEqual([elsewhere])
  const spoken = await request(platform.origin, 'GET /v1/not-a-route')
  expect(spoken.status).toBe(401)
})

test('the operator may turn the reference off, and what was kept goes on', async () => {
  await platform.stop()
  platform = await startOn(platform.place, { OPENAPI_PUBLIC_DOCS: 'false' })
  for (const path of ['/v1/docs', '/v1/openapi.json']) {
    expect([401, 404], path).toContain((await request(platform.origin, `GET ${path}`)).status)
    expect((await request(platform.origin, `GET ${path}`, { token: platform.token })).status).toBe(404)
  }
  expect((await platform.client.projects.list()).map(({ name }) => name)).toContain('Victim')
})
