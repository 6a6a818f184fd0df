import { describeRuntime } from './support/describe-runtime.ts'
import { acpAgent } from './support/dialects.ts'

const bare = {
  ...{ resume: false, load: false, message_ids: false, modes: false },
  ...{ model_option: false, thought_level: false, commands: false, plan: false, client_fs: false },
  ...{ client_terminal: false, elicitation: false, images: false, usage: false, mcp_http: false },
  permissions: 'never',
  auth_gateway: false,
} as const
const { lacks } = acpAgent(bare)

describeRuntime(
  acpAgent(bare, {
    title: 'acp, an agent with no optional ability',
    lacks: [...lacks, 'asks', 'questions', 'todo lists', 'a choice of models', 'going back'],
  }),
  '127.41.0.74',
)
