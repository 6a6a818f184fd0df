import { z } from 'zod'

const Media = z.looseObject({ schema: z.unknown().optional(), example: z.unknown().optional() })
const Content = z.record(z.string(), Media)

const Operation = z.looseObject({
  operationId: z.string(),
  summary: z.string().default(''),
  description: z.string().default(''),
  tags: z.array(z.string()).default([]),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
  parameters: z
    .array(z.looseObject({ name: z.string(), in: z.string(), description: z.string().optional() }))
    .default([]),
  requestBody: z.looseObject({ content: Content }).optional(),
  responses: z.record(
    z.string(),
    z.looseObject({ description: z.string().default(''), content: Content.optional() }),
  ),
})

/** The part of the served document that the tests read. */
export const OpenApiDocument = z.looseObject({
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({
    schemas: z.record(z.string(), z.unknown()),
    securitySchemes: z.record(z.string(), z.looseObject({ description: z.string().optional() })),
  }),
})
export type OpenApiDocument = z.infer<typeof OpenApiDocument>

export interface DocumentedOperation extends z.infer<typeof Operation> {
  /** The method in capitals. */
  readonly method: string
  readonly path: string
}

export function documentedOperations({ paths }: OpenApiDocument): DocumentedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, value]) => ({ ...value, method: method.toUpperCase(), path })),
  )
}
