import { z } from '@hono/zod-openapi'
import {
  askingHabits,
  harnessAuths,
  harnessDialects,
  installMachine,
  runtimeMachine,
  unavailableReasons,
} from '@svc/harness'
import { Timestamp } from '../kit/common.ts'

export const HarnessInstall = z
  .object({
    version: z.string(),
    target: z.string().openapi({ description: 'The machine that it is for, as `linux-x64-glibc-node20`' }),
    state: z.enum(installMachine.states),
    bytes_done: z.int(),
    bytes: z.int().nullable(),
    error: z.string().nullable(),
    last_used_at: Timestamp,
  })
  .openapi('HarnessInstall')

export const Harness = z
  .object({
    name: z.string(),
    title: z.string(),
    source: z
      .enum(['known', 'manifest'])
      .openapi({ description: '`manifest`: a program of the project’s own' }),
    package: z.string().nullable().openapi({ description: 'Of npm; null where the sandbox brings it' }),
    version: z.string().nullable().openapi({ description: 'The one that a new session gets' }),
    versions: z.array(z.string()).openapi({ description: 'Those that a manifest may pin' }),
    licences: z.array(
      z.object({
        name: z.string(),
        spdx: z.string(),
        url: z.string().nullable(),
        sha256: z.string().nullable(),
        accepted: z.boolean(),
      }),
    ),
    proprietary: z.boolean().openapi({ description: 'A platform admin accepts its licence once' }),
    dialect: z.enum(harnessDialects),
    mcp: z.array(z.enum(['http', 'sse'])),
    auth: z.array(z.enum(harnessAuths)).openapi({ description: 'What the operator allows' }),
    permissions: z.enum(askingHabits),
    bytes: z.int().openapi({ description: 'About its size on the disk' }),
    available: z.boolean(),
    reason: z.enum([...unavailableReasons, 'licence']).nullable(),
    message: z
      .string()
      .nullable()
      .openapi({ description: 'What stands in its way, or has to be there for it when a session starts' }),
    installs: z.array(HarnessInstall),
  })
  .openapi('Harness')

export const HarnessList = z.object({ harnesses: z.array(Harness) }).openapi('HarnessList')

export const ProjectHarnesses = z
  .object({
    default: z.string().openapi({ description: 'For agents whose file names none' }),
    agents: z.record(z.string(), z.string()).openapi({ description: 'By the agent’s name' }),
    harnesses: z.array(Harness),
  })
  .openapi('ProjectHarnesses')

export const RuntimeOption = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    category: z.string().nullable(),
    description: z.string().nullable(),
    currentValue: z.union([z.string(), z.boolean()]),
    options: z.array(z.object({ value: z.string(), name: z.string() }).loose()),
  })
  .loose()
  .openapi('RuntimeOption')

export const SessionRuntime = z
  .object({
    harness: z.string(),
    version: z.string().nullable(),
    auth: z.enum(harnessAuths),
    metered: z.boolean().openapi({ description: 'Whether the gateway pays, so that budget and log hold' }),
    state: z.enum(runtimeMachine.states),
    agent_info: z.record(z.string(), z.unknown()).nullable(),
    protocol_version: z.int().nullable(),
    capabilities: z
      .object({
        revert: z.boolean(),
        resume: z.boolean(),
        images: z.boolean(),
        questions: z.boolean(),
        permissions: z.enum(askingHabits),
        commands: z.boolean(),
        mcp: z.array(z.string()),
      })
      .openapi({ description: 'What people may be offered with it' }),
    config_options: z.array(RuntimeOption),
    commands: z.array(z.object({ name: z.string(), description: z.string() }).loose()),
    updated_at: Timestamp,
  })
  .openapi('SessionRuntime')
