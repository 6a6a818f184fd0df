import type { harnesses, sessionRuntime } from '@svc/contract'
import type { z } from 'zod'
import type { BodyOf } from './http/route.ts'

/** A program that may be a session's agent, with what stands in its way here. */
export type Harness = z.output<typeof harnesses.Harness>
/** The harnesses of a project, and the one that each of its agents gets. */
export type ProjectHarnessList = z.output<typeof harnesses.ProjectHarnesses>
/** The agent program of a session, as it described itself last. */
export type SessionRuntime = z.output<typeof sessionRuntime.SessionRuntime>
/** An option of it, such as its mode or model, with the values that it takes. */
export type RuntimeOption = SessionRuntime['config_options'][number]
/** Values by the id of their option. */
export type RuntimeConfig = BodyOf<typeof sessionRuntime.setSessionRuntime>['config']
