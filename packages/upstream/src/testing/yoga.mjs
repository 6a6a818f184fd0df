import { createSchema, createYoga } from 'graphql-yoga'

/** A GraphQL service by graphql-yoga, whose own types would bring those of a browser into the whole repository. */
export function yogaOf(typeDefs, resolvers) {
  return createYoga({ logging: false, maskedErrors: false, schema: createSchema({ typeDefs, resolvers }) })
}
