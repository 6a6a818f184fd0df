import { z } from 'zod'
import { closedObject } from './closed.ts'
import { withConditions } from './conditions.ts'
import type { Condition } from './conditions.ts'
import { exactly, filled, ownSecret, ownUpperNameKey, relativePath } from './words.ts'

const reservedPorts = [7331, 8080]

const resources = closedObject({
  cpu: z.int().min(1).max(64).optional(),
  memory_gb: z.int().min(1).max(512).optional(),
  disk_gb: z.int().min(1).max(2048).optional(),
})

const whenContainer = (key: string): Condition => ({
  when: { type: exactly('dockerfile', 'oci_image') },
  needs: [key],
  because: 'required when `type` is `dockerfile` or `oci_image`',
})

export const appShape = withConditions(
  closedObject({
    type: z.enum(['static', 'bundle', 'dockerfile', 'oci_image']),
    path: relativePath.optional(),
    root: relativePath.optional(),
    output_dir: relativePath.optional(),
    dockerfile: relativePath.optional(),
    image: filled.optional(),
    command: z.array(filled).min(1).optional(),
    port: z
      .int()
      .min(1)
      .max(65535)
      .refine((port) => !reservedPorts.includes(port), 'must not be 7331 or 8080: the platform uses them')
      .meta({ not: { enum: reservedPorts } })
      .optional(),
    install_command: filled.optional(),
    build_command: filled.optional(),
    spa: z.boolean().optional(),
    readiness_path: z.string().regex(/^\//, 'must start with `/`').optional(),
    idle_timeout_seconds: z.int().min(120).max(86400).optional(),
    monthly_budget_usd: z.number().min(0).optional(),
    resources: resources.optional(),
    env: z.record(ownUpperNameKey, filled).optional(),
    secrets: z.record(ownUpperNameKey, ownSecret).optional(),
  }),
  [
    {
      when: { type: exactly('oci_image') },
      needs: ['image'],
      because: 'required when `type` is `oci_image`',
    },
    whenContainer('command'),
    whenContainer('port'),
  ],
)

export type AppInput = z.output<typeof appShape>
