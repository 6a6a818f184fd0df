import { z } from 'zod'

/** A parameter of a request: the argument that fills it, and how its value is written. */
const parameter = z.object({
  arg: z.string(),
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  style: z.enum([
    'simple',
    'label',
    'matrix',
    'form',
    'spaceDelimited',
    'pipeDelimited',
    'deepObject',
    'json',
  ]),
  explode: z.boolean(),
  required: z.boolean(),
})

/** The body as one argument, or as an argument for each of its fields. */
const body = z.object({
  type: z.string(),
  whole: z.string().nullable(),
  fields: z.array(z.object({ arg: z.string(), name: z.string(), bytes: z.boolean() })),
})

/** The parts of the call of an operation. `server` is the document's own, null where the manifest names the address. */
export const openapiBinding = z.object({
  method: z.string(),
  path: z.string(),
  server: z.string().nullable(),
  parameters: z.array(parameter),
  body: body.nullable(),
})

export type OpenapiBinding = z.output<typeof openapiBinding>
export type BoundParameter = z.output<typeof parameter>
export type BoundBody = z.output<typeof body>
