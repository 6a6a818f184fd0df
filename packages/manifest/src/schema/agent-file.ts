import { z } from 'zod'

const action = z.enum(['ask', 'allow', 'deny'])
const actionOrRules = z.union([action, z.record(z.string(), action)], {
  error: 'must be `ask`, `allow`, `deny`, or a mapping of patterns to one of them',
})

const permission = z.union(
  [
    action,
    z
      .object({
        todowrite: action.optional(),
        question: action.optional(),
        webfetch: action.optional(),
        websearch: action.optional(),
        doom_loop: action.optional(),
      })
      .catchall(actionOrRules),
  ],
  { error: 'must be `ask`, `allow`, `deny`, or a mapping of tools to one of them' },
)

const namedColors = ['primary', 'secondary', 'accent', 'success', 'warning', 'error', 'info']
const color = z
  .string()
  .regex(
    new RegExp(`^(?:#[0-9a-fA-F]{6}|${namedColors.join('|')})$`),
    `must be \`#\` and six hex digits, or one of ${namedColors.join(', ')}`,
  )

/** The frontmatter of an agent's own file; other keys belong to the agent runtime. */
export const agentFileShape = z.looseObject({
  description: z.string().optional(),
  model: z.string().optional(),
  mode: z.enum(['primary', 'subagent', 'all']).optional(),
  variant: z.string().optional(),
  harness: z.string().optional(),
  temperature: z.number().optional(),
  top_p: z.number().optional(),
  steps: z.int().min(1).optional(),
  color: color.optional(),
  hidden: z.boolean().optional(),
  disable: z.boolean().optional(),
  options: z.looseObject({}).optional(),
  permission: permission.optional(),
})

export const agentFileKeys: readonly string[] = Object.keys(agentFileShape.shape)
