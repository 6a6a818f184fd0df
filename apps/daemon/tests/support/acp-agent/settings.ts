import { z } from 'zod'

export const crashPoints = [
  'start',
  'initialize',
  'authenticate',
  'new_session',
  'before_answer',
  'untold_tool',
  'in_text',
  'in_tool',
  'in_permission',
  'after_answer',
] as const
export type CrashPoint = (typeof crashPoints)[number]

const Count = z.int().nonnegative()

/** Misbehaviours, each by itself. */
const Fault = z.strictObject({
  crash: z.enum(crashPoints).optional(),
  /** A file that the first crash makes; while it is there, none follows. */
  once: z.string().optional(),
  /** Lines that are no JSON-RPC, in each turn. */
  garbage: Count.default(0),
  /** A line of 33 MiB in each turn. */
  long_line: z.boolean().default(false),
  flood: z.strictObject({ text_bytes: Count.default(0), tool_bytes: Count.default(0) }).optional(),
  slow_start_ms: Count.default(0),
  /** Permissions that are asked for at once, in each turn. */
  permission_storm: Count.default(0),
  deaf_to_cancel: z.boolean().default(false),
  /** Updates before the answer to load and resume, and as many after it. */
  replay: Count.default(0),
  late_updates: Count.default(0),
  late_after_ms: Count.default(20),
  unknown_updates: Count.default(0),
  read_outside: z.boolean().default(false),
  holds_pipes: z.boolean().default(false),
  protocol_version: z.number().optional(),
  stop_reason: z.string().optional(),
})

const On = z.boolean().default(true)

const Settings = z.strictObject({
  resume: On,
  load: On,
  message_ids: On,
  permissions: z.enum(['always', 'never']).default('always'),
  modes: On,
  model_option: On,
  thought_level: On,
  commands: On,
  plan: On,
  client_fs: On,
  client_terminal: On,
  elicitation: On,
  images: On,
  usage: On,
  mcp_http: On,
  auth_gateway: On,
  fault: Fault.prefault({}),
})
export type AgentSettings = z.infer<typeof Settings>
/** The JSON in the variable `ACP_AGENT`; all that it leaves out is on, and faultless. */
export type AgentSettingsInput = z.input<typeof Settings>

export interface Environment {
  readonly settings: AgentSettings
  readonly home: string
  readonly gateway: Gateway
  readonly model: string
}

/** The server that is asked for answers. */
export interface Gateway {
  readonly base_url: string
  readonly headers: Record<string, string>
}

export function readEnvironment(env: Record<string, string | undefined>): Environment {
  return {
    settings: Settings.parse(JSON.parse(env['ACP_AGENT'] || '{}')),
    home: env['HOME'] ?? '/tmp',
    gateway: {
      base_url: env['OPENAI_BASE_URL'] ?? '',
      headers: { authorization: `Bearer ${env['OPENAI_API_KEY'] ?? ''}` },
    },
    model: env['ACP_AGENT_MODEL'] ?? 'scripted-model',
  }
}
