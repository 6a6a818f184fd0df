import { createRoute, z } from '@hono/zod-openapi'
import { reachedBy } from '../kit/access.ts'
import { body, json, refusals, text, Timestamp } from '../kit/common.ts'
import { examples } from '../kit/examples.ts'

const common = { tags: ['Operations'], ...reachedBy({ platform_admin: true }) }

export const Process = z
  .object({
    process_id: z.uuid(),
    service: z.string(),
    version: z.string(),
    commit: z.string(),
    connections: z.int().openapi({ description: 'As many to PostgreSQL as it may open' }),
    schema_level: z.int().openapi({ description: 'The newest level of the schema that its build knows' }),
    machine: z.string(),
    pid: z.int(),
    state: z.enum(['running', 'draining']),
    drain_reason: z.string().nullable(),
    started_at: Timestamp,
    beat_at: Timestamp.openapi({ description: 'Its last sign of life' }),
  })
  .openapi('Process')

export const Machine = z
  .object({
    machine: z.string(),
    provider: z.string(),
    state: z
      .enum(['open', 'draining', 'drained'])
      .openapi({ description: 'Drained: it drains, and none of its sandboxes is active' }),
    sandboxes: z.object({ active: z.int(), stopped: z.int() }),
    seen_at: Timestamp.openapi({ description: 'The last sign of life of a worker there' }),
  })
  .openapi('Machine')

export const listProcesses = createRoute({
  ...common,
  operationId: 'listProcesses',
  summary: 'List the processes that live',
  description: 'One without a sign of life for a minute is gone.',
  method: 'get',
  path: '/v1/admin/processes',
  responses: {
    200: json(z.object({ processes: z.array(Process) }).openapi('Processes'), 'By service and age'),
    ...refusals(403),
  },
})

export const listMachines = createRoute({
  ...common,
  operationId: 'listMachines',
  summary: 'List the machines that sandboxes are on',
  description: 'One without a worker for a day is listed while it holds sandboxes.',
  method: 'get',
  path: '/v1/admin/machines',
  responses: {
    200: json(z.object({ machines: z.array(Machine) }).openapi('Machines'), 'By name'),
    ...refusals(403),
  },
})

const ProcessParams = z.object({ process_id: z.uuid().openapi({ description: 'The process' }) })
const drain = '/v1/admin/processes/{process_id}/drain'

export const drainProcess = createRoute({
  ...common,
  operationId: 'drainProcess',
  summary: 'Let a process finish what it has, and take nothing new',
  description: 'It follows within 10 seconds: no new job, and `/readyz` answers 503 until it is resumed.',
  method: 'post',
  path: drain,
  request: { params: ProcessParams },
  responses: { 202: json(Process, 'It drains'), ...refusals(400, 403, 404) },
})

export const resumeProcess = createRoute({
  ...common,
  operationId: 'resumeProcess',
  summary: 'Let a process that drains take work again',
  description: 'It follows within 10 seconds.',
  method: 'delete',
  path: drain,
  request: { params: ProcessParams },
  responses: { 200: json(Process, 'It takes work'), ...refusals(400, 403, 404) },
})

const MachineParams = z.object({
  machine: text(255)
    .min(1)
    .openapi({ description: 'The machine, by its name', param: { name: 'machine', in: 'path' } }),
})
const machineDrain = '/v1/admin/machines/{machine}/drain'

export const drainMachine = createRoute({
  ...common,
  operationId: 'drainMachine',
  summary: 'Empty a machine of sandboxes',
  description:
    'Idle sandboxes are saved and stopped at once, busy ones after their turn, or at the deadline with their work saved. ' +
    'New sessions go to other machines; where there is none they stay `provisioning` until there is. A repeat sets the ' +
    'deadline anew.',
  method: 'post',
  path: machineDrain,
  request: {
    params: MachineParams,
    body: body(
      z
        .strictObject({
          deadline_seconds: z.int().min(0).max(604_800).optional().openapi({
            description: 'From then on busy ones are ended as well; without it they are waited for',
          }),
        })
        .openapi('DrainMachine', { example: examples.drainMachine }),
      false,
    ),
  },
  responses: { 202: json(Machine, 'It drains'), ...refusals(400, 403, 404, 415) },
})

export const resumeMachine = createRoute({
  ...common,
  operationId: 'resumeMachine',
  summary: 'Let a machine take sessions again',
  description: 'What was stopped stays so until it is asked for.',
  method: 'delete',
  path: machineDrain,
  request: { params: MachineParams },
  responses: { 200: json(Machine, 'It is open'), ...refusals(400, 403, 404) },
})
