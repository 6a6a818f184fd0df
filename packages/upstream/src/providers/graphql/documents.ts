import type { Risk } from '@svc/connector'
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionSetNode,
} from 'graphql'
import { UpstreamRefusal } from '../../shapes.ts'
import { isDestructiveName } from '../catalogue/risk.ts'

/** The action for a whole document. */
export const wholeQuery = 'query'

/** A person's document is small; parsing stops here. */
const maxTokens = 20_000
const strength: readonly Risk[] = ['read', 'write', 'destructive']

/** Throws `UpstreamRefusal` with `invalid_arguments` for a text that is no document. */
export function parsed(text: string, argument: string): DocumentNode {
  try {
    return parse(text, { maxTokens, noLocation: true })
  } catch (error) {
    const words = error instanceof GraphQLError ? error.message : 'it nests too deep'
    throw invalid(`\`${argument}\` is no GraphQL: ${words}`)
  }
}

/** The operation of a document that runs. Throws `UpstreamRefusal` where none is meant, or any is a subscription. */
export function requireOperations(document: DocumentNode, name: string | null): void {
  const operations = operationsOf(document)
  if (operations.some(({ operation }) => operation === 'subscription'))
    throw invalid('Subscriptions are not run: ask with a query')
  if (operations.length === 0) throw invalid('`query` holds no operation')
  const names = operations.map((each) => each.name?.value)
  if (name !== null && !names.includes(name))
    throw invalid(`\`query\` holds no operation ${JSON.stringify(name)}`)
  if (name === null && operations.length > 1)
    throw invalid('`operation_name` must say which of the operations runs')
}

/** The risk of the strongest operation in a document, run or not. What cannot be read is taken for the strongest. */
export function riskOfDocument(text: unknown): Risk {
  if (typeof text !== 'string') return 'destructive'
  let document: DocumentNode
  try {
    document = parsed(text, 'query')
  } catch {
    return 'destructive'
  }
  const risks = operationsOf(document).map((operation) => riskOfOperation(document, operation))
  return risks.toSorted((a, b) => strength.indexOf(b) - strength.indexOf(a))[0] ?? 'destructive'
}

function riskOfOperation(document: DocumentNode, { operation, selectionSet }: OperationDefinitionNode): Risk {
  if (operation === 'query') return 'read'
  return rootNames(document, selectionSet).some(isDestructiveName) ? 'destructive' : 'write'
}

/** Names of the fields at the root, also within fragments. An alias is no name. */
function rootNames(document: DocumentNode, root: SelectionSetNode): string[] {
  const fragments = new Map(
    document.definitions
      .filter((each): each is FragmentDefinitionNode => each.kind === 'FragmentDefinition')
      .map((each) => [each.name.value, each.selectionSet] as const),
  )
  const names: string[] = []
  const seen = new Set<string>()
  const waiting = [root]
  for (let set = waiting.pop(); set !== undefined; set = waiting.pop())
    for (const selection of set.selections) {
      if (selection.kind === 'Field') names.push(selection.name.value)
      else if (selection.kind === 'InlineFragment') waiting.push(selection.selectionSet)
      else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value)
        const fragment = fragments.get(selection.name.value)
        if (fragment) waiting.push(fragment)
      }
    }
  return names
}

function operationsOf(document: DocumentNode): OperationDefinitionNode[] {
  return document.definitions.filter((each) => each.kind === 'OperationDefinition')
}

/**
 * A selection such as `id owner { login }` in braces. Throws `UpstreamRefusal` for a text that is more than one selection,
 * so that no argument can end it and begin another operation.
 */
export function selectionOf(fields: string): string {
  const { definitions } = parsed(`{ ${fields}\n}`, 'fields')
  const [only, ...more] = definitions
  const isPlain =
    only?.kind === 'OperationDefinition' && only.operation === 'query' && only.name === undefined
  if (!isPlain || more.length > 0)
    throw invalid('`fields` must be one selection, such as `id owner { login }`')
  return print(only.selectionSet)
}

function invalid(rule: string): UpstreamRefusal {
  return new UpstreamRefusal('invalid_arguments', `${rule}.`)
}
