import type { ConnectorAction } from '@svc/connector'
import { type GraphQLField, type GraphQLSchema, isRequiredArgument } from 'graphql'
import { z } from 'zod'
import { actionNames } from '../catalogue/names.ts'
import { isDestructiveName } from '../catalogue/risk.ts'
import { schemaBudget, type SchemaBudget } from '../catalogue/schema-budget.ts'
import { described, requireFewer } from '../catalogue/words.ts'
import { wholeQuery } from './documents.ts'
import { defaultSelections, inputSchemas, withWords } from './types.ts'

/** The parts of the call of a root field: its arguments as variables, and what is selected without a word on it. */
export const graphqlBinding = z.object({
  operation: z.enum(['query', 'mutation']),
  field: z.string(),
  variables: z.array(z.object({ arg: z.string(), name: z.string(), type: z.string() })),
  selection: z.string().nullable(),
})

type GraphqlBinding = z.output<typeof graphqlBinding>

const queryAction: ConnectorAction = {
  action: wholeQuery,
  title: 'Run a document',
  description:
    'Runs a GraphQL document with queries or mutations. Its risk is that of its strongest operation.',
  risk: 'destructive',
  input_schema: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'The document.' },
      variables: { type: 'object' },
      operation_name: { type: 'string', description: 'The operation that runs, where there are several.' },
    },
    required: ['query'],
    additionalProperties: false,
  },
  binding: {},
}

/** `query`, and an action for each field of the roots of queries and mutations. */
export function actionsOf(schema: GraphQLSchema): ConnectorAction[] {
  const nameOf = actionNames([wholeQuery])
  const budget = schemaBudget()
  const selectionFor = defaultSelections()
  const roots = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
  ] as const
  const fields = roots.flatMap(([operation, type]) =>
    Object.values(type?.getFields() ?? {}).map((field) => [operation, field] as const),
  )
  requireFewer(fields.length + 1, 'root fields')
  return [
    queryAction,
    ...fields.map(([operation, field]) =>
      actionOf(operation, field, { action: nameOf(field.name), budget, selectionFor }),
    ),
  ]
}

interface Making {
  readonly action: string
  readonly budget: SchemaBudget
  readonly selectionFor: ReturnType<typeof defaultSelections>
}

function actionOf(
  operation: 'query' | 'mutation',
  field: GraphQLField<unknown, unknown>,
  { action, budget, selectionFor }: Making,
): ConnectorAction {
  const selection = selectionFor(field.type)
  // It stands in the binding and in the words for `fields`.
  budget.spend(0, 2 * (selection?.length ?? 0))
  const { schemaOf, defs } = inputSchemas(budget)
  const bound = field.args.map((argument) => ({
    // `fields` is the selection; an argument of that name makes room.
    arg: selection !== null && argument.name === 'fields' ? 'arg.fields' : argument.name,
    argument,
  }))
  const required = bound.filter(({ argument }) => isRequiredArgument(argument)).map(({ arg }) => arg)
  const fields = {
    type: 'string',
    description: `Fields of the answer, such as \`id owner { login }\`. Without it: ${selection ?? ''}`,
  }
  const binding: GraphqlBinding = {
    operation,
    field: field.name,
    variables: bound.map(({ arg, argument }) => ({ arg, name: argument.name, type: String(argument.type) })),
    selection,
  }
  const { description } = described(null, field.description, `The ${operation} ${field.name}.`)
  return {
    action,
    title: null,
    description: field.deprecationReason ? `Deprecated. ${description}` : description,
    risk: operation === 'query' ? 'read' : isDestructiveName(field.name) ? 'destructive' : 'write',
    input_schema: {
      type: 'object',
      properties: {
        ...Object.fromEntries(
          bound.map(({ arg, argument }) => [arg, withWords(schemaOf(argument.type), argument.description)]),
        ),
        ...(selection !== null && { fields: withWords(fields, fields.description) }),
      },
      ...(required.length > 0 && { required }),
      additionalProperties: false,
      ...defs(),
    },
    binding: { ...binding },
  }
}
