import { type Tool, ToolSchema } from '@modelcontextprotocol/sdk/types.js'
import { findTool, getCall, searchTools, submitReview } from '@svc/connectors'
import { issuesOf } from '@svc/contract/issues'
import { z } from 'zod'
import { callAction } from './call-action.ts'
import type { ExecutorServerParts } from './server.ts'

export interface FixedTool {
  readonly listed: Tool
  readonly run: (parts: ExecutorServerParts, args: unknown) => Promise<object>
}

interface Described<I extends z.ZodType> extends Pick<
  Tool,
  'name' | 'title' | 'description' | 'annotations'
> {
  readonly input: I
  readonly run: (parts: ExecutorServerParts, input: z.infer<I>) => Promise<object>
}

function fixed<I extends z.ZodType>({ input, run, ...described }: Described<I>): FixedTool {
  const inputSchema = ToolSchema.shape.inputSchema.parse(z.toJSONSchema(input, { io: 'input' }))
  return {
    listed: { ...described, inputSchema },
    run: async (parts, args) => {
      const read = input.safeParse(args)
      return read.success ? run(parts, read.data) : wrongArguments(read.error)
    },
  }
}

function wrongArguments(error: z.ZodError): object {
  const issues = issuesOf(error)
  const message = issues.map((issue) => `${issue.path}: ${issue.message}`).join('; ')
  return { ok: false, status: 'error', reason: 'invalid_arguments', message, issues }
}

const connector = z.string().min(1).max(128).describe('The slug of a connector')
const reads = { readOnlyHint: true, openWorldHint: false } as const

/** The tools that are always there, in this order. */
export const fixedTools: readonly FixedTool[] = [
  fixed({
    name: 'connectors',
    title: 'List connectors',
    description: 'The other services that you may use here, and whether each is connected.',
    input: z.object({}),
    annotations: reads,
    run: async ({ ctx, project_id }) => ({
      connectors: (await searchTools(ctx, { project_id, limit: 1 })).connectors,
    }),
  }),
  fixed({
    name: 'discover',
    title: 'Find actions',
    description: 'Finds actions of connectors by what they do, in plain words.',
    input: z.object({
      query: z.string().max(1000),
      connector: connector.optional(),
      limit: z.number().int().min(1).max(20).optional(),
    }),
    annotations: reads,
    run: async ({ ctx, project_id }, input) => ({
      tools: (await searchTools(ctx, { project_id, ...input })).tools,
    }),
  }),
  fixed({
    name: 'describe',
    title: 'Describe an action',
    description: 'What an action does, its arguments, its risk, and whether a person approves it.',
    input: z.object({
      tool: z.string().min(1).max(300).describe('As discover names it, or connector.action'),
    }),
    annotations: reads,
    run: async ({ ctx, project_id }, { tool }) =>
      (await findTool(ctx, { project_id, tool })) ?? {
        ...{ ok: false, status: 'denied', reason: 'action_not_found' },
        message: `There is no action ${JSON.stringify(tool)}; discover finds those that you may call`,
      },
  }),
  fixed({
    name: 'call',
    title: 'Call an action',
    description:
      'Runs an action of a connector. One that needs a person ends as pending: its result comes as a message later; do not repeat the call.',
    input: z.object({
      connector,
      action: z.string().min(1).max(256),
      args: z.record(z.string(), z.unknown()).default({}),
      idempotency_key: z.string().min(1).max(255).optional(),
    }),
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    run: callAction,
  }),
  fixed({
    name: 'result',
    title: 'Result of a call',
    description: 'How a call stands that was pending, or the whole of a result that was cut in a message.',
    input: z.object({ call_id: z.uuid() }),
    annotations: reads,
    run: async ({ ctx, project_id }, { call_id }) =>
      (await getCall(ctx, { project_id, call_id, wait_seconds: 0 })).outcome,
  }),
  fixed({
    name: 'connect',
    title: 'Link to connect a service',
    description: 'A link for a person, who connects the service there. You cannot connect it yourself.',
    input: z.object({ connector }),
    annotations: reads,
    run: async ({ ctx, project_id }, input) => {
      const { connectors } = await searchTools(ctx, { project_id, limit: 1 })
      return (
        connectors.find(({ slug }) => slug === input.connector) ?? {
          ...{ ok: false, status: 'denied', reason: 'connector_not_found' },
          message: `There is no connector ${JSON.stringify(input.connector)} that you may use; connectors lists them`,
        }
      )
    },
  }),
  fixed({
    name: 'submit_review',
    title: 'Show work to people',
    description:
      'Asks people to look at what you made, or to choose between options. The verdict comes as a message.',
    input: z.object({
      title: z.string().min(1).max(200),
      summary: z.string().max(65_536).default('').describe('Markdown'),
      kind: z.enum(['output', 'decision']).default('output'),
      files: z.array(z.string().min(1)).max(50).default([]).describe('Paths on your branch, committed'),
      options: z
        .array(z.object({ id: z.string().min(1).max(64), label: z.string().min(1).max(200) }))
        .max(9)
        .default([])
        .describe('2 to 9, of a decision'),
    }),
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    run: async ({ ctx, project_id }, input) => {
      const { review_id, status, version } = await submitReview(ctx, { ...input, project_id, risk: 'medium' })
      return { review_id, status, version }
    },
  }),
]
