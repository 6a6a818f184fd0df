import { channelPolicies, type ChannelPolicy, threadReplies, type ThreadReplies } from '@svc/channel/states'
import { type Command, Option } from 'commander'

/** The rules of a channel, as `connect` and `set` name them. */
export interface RuleFlags {
  readonly name?: string
  /** False for the default agent of the project. */
  readonly agent?: string | false
  readonly policy?: ChannelPolicy
  readonly threadReplies?: ThreadReplies
}

export function ruleFlags(command: Command): Command {
  return command
    .option('--name <text>', 'for people')
    .option('--agent <name>', 'the agent of its sessions')
    .addOption(
      new Option('--policy <policy>', 'messages by others than the one who began a thread').choices(
        channelPolicies,
      ),
    )
    .addOption(
      new Option('--thread-replies <which>', 'the messages of a thread that count').choices(threadReplies),
    )
}

/** The rules that the flags name, beside the agent. */
export function rulesOf({ name, policy, threadReplies: thread_replies }: RuleFlags) {
  return {
    ...(name !== undefined && { name }),
    ...(policy && { policy }),
    ...(thread_replies && { thread_replies }),
  }
}
