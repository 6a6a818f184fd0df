import type { ConnectorAction, JsonObject, Risk } from '@svc/connector'
import { riskOfDocument, wholeQuery } from './providers/graphql/documents.ts'

/** The risk of one call, where it depends on the arguments: a GraphQL document is as strong as its strongest operation. */
export function riskOfCall(
  provider: string,
  { action, risk }: Pick<ConnectorAction, 'action' | 'risk'>,
  args: JsonObject,
): Risk {
  return provider === 'graphql' && action === wholeQuery ? riskOfDocument(args['query']) : risk
}
