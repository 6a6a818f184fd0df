const builders = new Set(['selectFrom', 'insertInto', 'updateTable', 'deleteFrom'])

/** A verb asks the database's package; that alone knows tables. */
export const queriesInDb = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { query: 'Queries stand in packages/db, a function each.' },
  },
  create: (context) => ({
    MemberExpression(node) {
      if (builders.has(node.property.name)) context.report({ node, messageId: 'query' })
    },
    TaggedTemplateExpression(node) {
      if (node.tag.type === 'Identifier' && node.tag.name === 'sql')
        context.report({ node, messageId: 'query' })
    },
  }),
}
