import { z } from 'zod'

const Parameter = z.looseObject({
  name: z.string(),
  in: z.enum(['path', 'query', 'header', 'cookie']),
  required: z.boolean().default(false),
  description: z.string().optional(),
  schema: z.unknown().optional(),
})

const Media = z.looseObject({ schema: z.unknown().optional() })
const Content = z.record(z.string(), Media).optional()

const Operation = z.looseObject({
  operationId: z.string(),
  summary: z.string().default(''),
  description: z.string().default(''),
  tags: z.array(z.string()).default([]),
  'x-svc-access': z.looseObject({}).default({}),
  security: z.array(z.record(z.string(), z.unknown())).optional(),
  parameters: z.array(Parameter).default([]),
  requestBody: z.looseObject({ required: z.boolean().default(false), content: Content }).optional(),
  responses: z.record(z.string(), z.looseObject({ description: z.string().default(''), content: Content })),
})

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
const Method = z.enum(methods)

const Document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z
    .looseObject({ schemas: z.record(z.string(), z.unknown()).default({}) })
    .default({ schemas: {} }),
})

/** One call of the API, as the document describes it. */
export interface ApiOperation extends z.infer<typeof Operation> {
  /** Upper case. */
  readonly method: string
  /** The path with its parameters in braces: `/v1/projects/{project_id}`. */
  readonly path: string
}

export interface ApiDocument {
  readonly operations: readonly ApiOperation[]
  readonly schemas: Readonly<Record<string, unknown>>
}

/**
 * Reads an OpenAPI 3.1 document. Operations for a sandbox's daemon alone are left out, and so are the sign-in and all
 * else that asks for no token: the user of the tools is signed in, and an agent has no business with a person's
 * password.
 */
export function readDocument(document: unknown): ApiDocument {
  const { paths, components } = Document.parse(document)
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([name, value]) => {
      const method = Method.safeParse(name)
      if (!method.success) return []
      return [{ ...Operation.parse(value), method: method.data.toUpperCase(), path }]
    }),
  )
  return {
    operations: operations.filter((one) => isForPeople(one) && !signsIn(one)),
    schemas: components.schemas,
  }
}

const signInPaths = ['/v1/auth/', '/v1/oauth/'] as const

function signsIn({ path, 'x-svc-access': access }: Pick<ApiOperation, 'path' | 'x-svc-access'>): boolean {
  return 'public' in access || signInPaths.some((prefix) => path.startsWith(prefix))
}

/** Nor is a way to a token of use to a caller that has one. */
function isForPeople({ security, tags }: z.infer<typeof Operation>): boolean {
  if (tags.includes('OAuth')) return false
  return (
    security === undefined || security.length === 0 || security.some((scheme) => !('sandboxKey' in scheme))
  )
}
