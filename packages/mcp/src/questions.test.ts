import { OpenAPIHono, type RouteConfig } from '@hono/zod-openapi'
import * as contract from '@svc/contract'
import { expect, test } from 'vitest'
import { readDocument } from './document.ts'
import { createSearch } from './search-api.ts'

const app = new OpenAPIHono()
for (const noun of Object.values(contract)) {
  if (typeof noun !== 'object' || noun === null) continue
  for (const route of Object.values(noun))
    if (isRoute(route) && !route.path.startsWith('/v1/admin/')) app.openAPIRegistry.registerPath(route)
}
const document = readDocument(
  app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: '', version: '' } }),
)
const search = createSearch(document)

function isRoute(value: unknown): value is RouteConfig {
  return typeof value === 'object' && value !== null && 'operationId' in value && 'responses' in value
}

/** Questions of people, and the operation that they need. */
const questions: readonly (readonly [question: string, operationId: string])[] = [
  ['Who am I?', 'getMe'],
  ['Which account does my token belong to?', 'getMe'],
  ['Show my api keys', 'listTokens'],
  ['Create a personal access key that expires in a month', 'createToken'],
  ['I leaked a key, invalidate it', 'revokeToken'],
  ['Give CI a token that can only reach this project', 'createProjectToken'],
  ['Which tokens does the project have?', 'listProjectTokens'],
  ['What projects can I see?', 'listProjects'],
  ['Connect my existing GitHub repository', 'connectProject'],
  ['Import a repo from GitLab with a credential', 'connectProject'],
  ['Make a new project with an empty repository', 'provisionProject'],
  ['Show the details of one project', 'getProject'],
  ['Rename the project', 'updateProject'],
  ['Get rid of a project', 'archiveProject'],
  ['List the secrets of the project', 'listSecrets'],
  ['Which environment variables are missing?', 'listSecrets'],
  ['Store a database password for the sessions', 'createSecret'],
  ['Update the value of a secret', 'putSecret'],
  ['Remove an env var', 'deleteSecret'],
  ['What files are in the src folder?', 'listFiles'],
  ['Read svc.yaml on a branch', 'readFile'],
  ['Show me the source code of index.ts', 'readFile'],
  ['What are the latest commits?', 'listCommits'],
  ['Which branches are there?', 'listBranches'],
  ['Start an agent on a task', 'createSession'],
  ['Launch a new session with a prompt', 'createSession'],
  ['Kick off an agent run on branch develop', 'createSession'],
  ['Which sessions are running right now?', 'listSessions'],
  ['Find the sessions that failed', 'listSessions'],
  ['What is the state of this session?', 'getSession'],
  ['Give a session a name', 'updateSession'],
  ['Put labels on a session', 'updateSession'],
  ['Delete the session and its container', 'deleteSession'],
  ['Pause the sandbox to save money', 'stopSession'],
  ['Wake a stopped session up', 'startSession'],
  ['The box is broken, give me a new sandbox', 'restartSession'],
  ['Tell the agent to also add tests', 'promptSession'],
  ['Send a message to the running agent', 'promptSession'],
  ['What did the agent say?', 'getSessionTranscript'],
  ['Export the whole conversation', 'getSessionTranscript'],
  ['What happened in this session so far?', 'listSessionEvents'],
  ['Follow the events of a session', 'listSessionEvents'],
  ['Which pull requests are open?', 'listChangeRequests'],
  ['Open a PR from my branch', 'createChangeRequest'],
  ['Propose my branch for review', 'createChangeRequest'],
  ['Show CR 12', 'getChangeRequest'],
  ['Change the title of a pull request', 'updateChangeRequest'],
  ['What changed in this pull request?', 'getChangeRequestDiff'],
  ['Show the patch of the CR', 'getChangeRequestDiff'],
  ['Does it have conflicts with main?', 'getMergePreview'],
  ['Would this change request merge cleanly?', 'getMergePreview'],
  ['Merge it', 'mergeChangeRequest'],
  ['Put the pull request on the default branch', 'mergeChangeRequest'],
  ['Close the CR without merging', 'closeChangeRequest'],
  ['Land the change request on main', 'mergeChangeRequest'],
  ['Approve and merge the PR', 'mergeChangeRequest'],
  ['Reject the change request', 'closeChangeRequest'],
  ['I closed the PR by mistake, bring it back', 'reopenChangeRequest'],
  ['Give the agent feedback on its pull request', 'requestChanges'],
  ['Ask for changes before merging', 'requestChanges'],
]

test('the operation that a question is about is among the first three, 95 times of 100', () => {
  const missed = questions.flatMap(([question, operationId]) => {
    const found = search(question, 3).map(({ method, path }) => idOf(method, path))
    return found.includes(operationId) ? [] : [{ question, operationId, found }]
  })
  expect(questions.length).toBeGreaterThanOrEqual(60)
  for (const [, operationId] of questions) {
    expect(
      document.operations.some((operation) => operation.operationId === operationId),
      operationId,
    ).toBe(true)
  }
  expect(missed.length / questions.length, JSON.stringify(missed, null, 1)).toBeLessThanOrEqual(0.05)
})

test('what signs people in or asks for no token is not offered', () => {
  const paths = document.operations.map(({ path }) => path)
  expect(paths.filter((path) => /^\/v1\/(auth|oauth|health|webhooks)/.test(path))).toEqual([])
})

test('what only the daemon of a sandbox may call is not offered', () => {
  const ids = document.operations.map(({ operationId }) => operationId)
  expect(ids).not.toContain('reportTurnStream')
  expect(ids).not.toContain('reportTurnQuestion')
})

test.each(['', '   ', 'zzzzqqqq', '🙂', "'; drop table"])('%j is no error', (query) => {
  expect(search(query, 3).length).toBeLessThanOrEqual(3)
})

function idOf(method: string, path: string): string | undefined {
  return document.operations.find((operation) => operation.method === method && operation.path === path)
    ?.operationId
}
