import { z } from 'zod'
import type { ListedAgent } from './skill-fence.ts'

const ListedAgents = z.array(
  z.object({
    name: z.string(),
    permission: z.array(z.object({ permission: z.string(), pattern: z.string(), action: z.string() })),
  }),
)

export const listedAgents = (data: unknown): readonly ListedAgent[] => ListedAgents.parse(data)
