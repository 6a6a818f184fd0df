import { z } from 'zod'
import { agentFileShape } from './agent-file.ts'
import { described } from './described.ts'
import { agentFileSections, manifestSections } from './descriptions.ts'
import type { Section } from './descriptions.ts'
import { manifestShape } from './manifest.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** JSON Schema 2020-12 of svc.yaml, for editors. It says all that a schema can; the validator says the rest. */
export function manifestJsonSchema(id?: string): JsonSchema {
  return generated(manifestShape, manifestSections, 'svc.yaml, schema version 2', id)
}

/** JSON Schema 2020-12 of the frontmatter of an agent's own file. */
export function agentFileJsonSchema(id?: string): JsonSchema {
  return generated(agentFileShape, agentFileSections, "Frontmatter of an agent's file", id)
}

function generated(
  shape: z.ZodType,
  sections: readonly Section[],
  title: string,
  id: string | undefined,
): JsonSchema {
  const { $schema, ...schema } = z.toJSONSchema(shape, {
    target: 'draft-2020-12',
    io: 'input',
    reused: 'inline',
  })
  return { $schema, ...(id !== undefined && { $id: id }), title, ...described(schema, sections) }
}
