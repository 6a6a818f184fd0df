import type { IncomingMessage, ServerResponse } from 'node:http'

type Resolver = (parent: unknown, args: never, context: { readonly request: Request }) => unknown

export function yogaOf(
  typeDefs: string,
  resolvers: Readonly<Record<string, Readonly<Record<string, Resolver>>>>,
): (req: IncomingMessage, res: ServerResponse) => Promise<void>
