const verbs = ['list', 'get', 'create', 'update', 'delete', 'search', 'archive', 'export', 'assign', 'share']
const things = [
  ...['issue', 'invoice', 'customer', 'message', 'calendar event', 'document', 'payment', 'subscription'],
  ...['repository', 'pull request', 'deployment', 'incident', 'contact', 'campaign', 'order', 'shipment'],
  ...['ticket', 'comment', 'label', 'milestone', 'folder', 'spreadsheet', 'report', 'dashboard', 'webhook'],
]
const parts = [
  ...[
    'draft',
    'history',
    'owner',
    'attachment',
    'template',
    'reminder',
    'tag',
    'status',
    'permission',
    'link',
  ],
  ...['version', 'note', 'field', 'member', 'rule', 'snapshot', 'archive', 'summary', 'metric', 'queue'],
]
const property = (description: string) => ({ type: 'string', description })

/** 5,000 tools, as many as a connector may have, with the words and schemas of a service's API. */
export const manyTools = verbs.flatMap((verb) =>
  things.flatMap((thing) =>
    parts.map((part) => ({
      name: `${verb}_${thing}_${part}`.replaceAll(' ', '_'),
      title: `${verb} the ${part} of the ${thing}`,
      description: `Use this to ${verb} the ${part} of one ${thing}, or of several that match a filter. It needs the id of the ${thing} and answers the ${part} as it is now, with the time of its last change.`,
      annotations: { readOnlyHint: ['list', 'get', 'search', 'export'].includes(verb) },
      inputSchema: {
        type: 'object',
        required: ['id'],
        properties: {
          id: property(`The id of the ${thing}`),
          filter: property(`Words that the ${part} has to have`),
          since: property('Only what changed after this time'),
          limit: { type: 'integer', minimum: 1, maximum: 100 },
        },
      },
    })),
  ),
)

/** As agents ask: a few words, sometimes misspelt, sometimes of nothing that there is. */
export const queries = [
  ...[
    'create invoice draft',
    'list open pull requests',
    'share document with member',
    'searhc customer notes',
  ],
  ...['shipment status', 'update calendar event reminder', 'who owns this deployment', 'export report'],
  ...[
    'assign ticket',
    'delete webhook',
    'payment history since',
    'subscripton metric',
    'zzzz',
    'incident summary',
  ],
]
