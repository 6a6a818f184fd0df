import { z } from 'zod'

/** The protocol as far as the platform reads it: unknown words are kept as they are, and what is broken counts as absent. */

const text = z.string().nullish().catch(undefined)

const Block = z.object({ type: z.string(), text: text, uri: text, name: text }).loose()

const Content = z
  .object({
    type: z.string(),
    content: Block.nullish().catch(undefined),
    path: text,
    oldText: text,
    newText: text,
    terminalId: text,
  })
  .loose()
export type ToolContent = z.infer<typeof Content>

const Location = z.object({ path: z.string(), line: z.number().nullish().catch(undefined) })

export const ToolUpdate = z.object({
  toolCallId: z.string(),
  title: text,
  name: text,
  kind: text,
  status: text,
  content: z.array(Content).nullish().catch(undefined),
  locations: z.array(Location).nullish().catch(undefined),
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
})
export type ToolUpdate = z.infer<typeof ToolUpdate>

const Chunk = z.object({ content: Block, messageId: text })

const PlanEntry = z.object({
  content: z.string(),
  status: z.string().catch('pending'),
  priority: z.string().catch('medium'),
})

const Command = z.object({ name: z.string(), description: z.string().catch('') }).loose()
export type Command = z.infer<typeof Command>

const SelectValue = z.object({ value: z.string(), name: z.string().catch(''), description: text })
const SelectGroup = z.object({ options: z.array(SelectValue) })

export const ConfigOption = z.object({
  id: z.string(),
  name: z.string().catch(''),
  description: text,
  category: text,
  type: z.string().catch('select'),
  currentValue: z.union([z.string(), z.boolean()]),
  options: z
    .array(z.union([SelectValue, SelectGroup]))
    .catch([])
    .transform((all) => all.flatMap((one) => ('value' in one ? [one] : one.options))),
})
export type ConfigOption = z.infer<typeof ConfigOption>
export const ConfigOptions = z.array(ConfigOption)

const Modes = z.object({
  currentModeId: z.string(),
  availableModes: z.array(z.object({ id: z.string(), name: z.string().catch(''), description: text })),
})
export type Modes = z.infer<typeof Modes>

const Models = z.object({
  currentModelId: z.string(),
  availableModels: z.array(z.object({ modelId: z.string(), name: z.string().catch(''), description: text })),
})
export type Models = z.infer<typeof Models>

/** The answer to `session/new`, `session/resume` and `session/load`. */
export const Opened = z.object({
  sessionId: z.string().optional(),
  modes: Modes.nullish().catch(undefined),
  /** Programs of before the options have their models apart. */
  models: Models.nullish().catch(undefined),
  configOptions: ConfigOptions.nullish().catch(undefined),
})
export type Opened = z.infer<typeof Opened>

export const Update = z.discriminatedUnion('sessionUpdate', [
  Chunk.extend({ sessionUpdate: z.literal('user_message_chunk') }),
  Chunk.extend({ sessionUpdate: z.literal('agent_message_chunk') }),
  Chunk.extend({ sessionUpdate: z.literal('agent_thought_chunk') }),
  ToolUpdate.extend({ sessionUpdate: z.literal('tool_call') }),
  ToolUpdate.extend({ sessionUpdate: z.literal('tool_call_update') }),
  z.object({ sessionUpdate: z.literal('plan'), entries: z.array(PlanEntry) }),
  z.object({ sessionUpdate: z.literal('usage_update'), used: z.number(), size: z.number() }),
  z.object({ sessionUpdate: z.literal('available_commands_update'), availableCommands: z.array(Command) }),
  z.object({ sessionUpdate: z.literal('config_option_update'), configOptions: ConfigOptions }),
  z.object({ sessionUpdate: z.literal('current_mode_update'), currentModeId: z.string() }),
  z.object({ sessionUpdate: z.literal('session_info_update'), title: text }),
  z.object({ sessionUpdate: z.literal('notice'), message: text }).loose(),
  z.object({ sessionUpdate: z.literal('compaction_update'), message: text }).loose(),
])
export type Update = z.infer<typeof Update>

export const Notification = z.object({ sessionId: z.string(), update: z.unknown() })

export const Initialized = z.object({
  protocolVersion: z.number(),
  agentInfo: z
    .object({ name: z.string(), version: z.string().catch(''), title: text })
    .nullish()
    .catch(undefined),
  authMethods: z
    .array(z.object({ id: z.string(), name: z.string().catch('') }))
    .catch([])
    .default([]),
  agentCapabilities: z
    .object({
      loadSession: z.boolean().catch(false).default(false),
      promptCapabilities: z.object({ image: z.boolean().optional() }).nullish().catch(undefined),
      mcpCapabilities: z
        .object({ http: z.boolean().optional(), sse: z.boolean().optional() })
        .nullish()
        .catch(undefined),
      sessionCapabilities: z.object({ resume: z.unknown().optional() }).nullish().catch(undefined),
    })
    .nullish()
    .catch(undefined),
})
export type Initialized = z.infer<typeof Initialized>
