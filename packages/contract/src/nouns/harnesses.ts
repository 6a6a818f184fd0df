import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { json, ProjectParams, refusals } from '../kit/common.ts'
import { HarnessName } from '../kit/parameters.ts'
import { Harness, HarnessList, ProjectHarnesses } from './harness-records.ts'

export { Harness, HarnessList, ProjectHarnesses }

const common = { tags: ['Harnesses'] }

export const listHarnesses = createRoute({
  ...common,
  operationId: 'listHarnesses',
  ...reachedBy({ any_actor: true }),
  summary: 'List the programs that may be a session’s agent',
  description:
    'A harness speaks the Agent Client Protocol: Claude Code, Codex, Gemini CLI and their like. `available` says whether a session may have it here, `reason` and `message` why not.',
  method: 'get',
  path: '/v1/harnesses',
  responses: { 200: json(HarnessList, 'The known harnesses'), ...refusals(403) },
})

export const getHarness = createRoute({
  ...common,
  operationId: 'getHarness',
  ...reachedBy({ any_actor: true }),
  summary: 'Get one harness, with its licences and installs',
  description: 'As the list has it; 404 for a program that the platform does not know.',
  method: 'get',
  path: '/v1/harnesses/{name}',
  request: { params: z.object({ name: HarnessName }) },
  responses: { 200: json(Harness, 'The harness'), ...refusals(400, 403, 404) },
})

export const listProjectHarnesses = createRoute({
  ...common,
  operationId: 'listProjectHarnesses',
  ...reachedBy({ capability: 'project.agent.read' }),
  summary: 'List the harnesses of a project, and the one of each agent',
  description:
    'As the manifest and the agents’ own files on the default branch say: a session that names none gets the one of its agent.',
  method: 'get',
  path: '/v1/projects/{project_id}/harnesses',
  request: { params: ProjectParams },
  responses: { 200: json(ProjectHarnesses, 'The harnesses'), ...refusals(400, 403, 404) },
})
