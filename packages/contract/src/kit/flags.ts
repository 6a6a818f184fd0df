import type { z } from '@hono/zod-openapi'
import { type Feature, features } from '@svc/access'

/** The one place where the names of the flags become keys: Object.fromEntries forgets which they are. */
export function flagsOf<Schema extends z.ZodType>(schema: () => Schema): Record<Feature, Schema> {
  return Object.fromEntries(features.map(({ feature }) => [feature, schema()])) as Record<Feature, Schema>
}
