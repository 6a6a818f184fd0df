export interface AgentPlace {
  readonly branch: string
  readonly default_branch: string
  /** The session as `svc` takes it. */
  readonly session: string
}

/** The rules of a session, one a line: its agent's instructions and `svc help agent` both say these. */
export function agentRules({ branch, default_branch, session }: AgentPlace): readonly string[] {
  return [
    'Commit and push in small steps: `git push origin HEAD`. What is pushed outlives the sandbox, which may be stopped at any time.',
    `Every committed change reaches ${default_branch} through a change request, however small it is and whatever file it is in. Push the work to ${branch}, then: \`svc cr open --title "..." --description "..."\`. \`svc cr show <number>\` tells whether it merges cleanly.`,
    `Never push to ${default_branch}, and never force-push to it.`,
    'Never leave work only on the session branch, and hand no change over as an archive, a paste or a gist: open a change request.',
    'Never merge, close or approve your own change request: a person decides.',
    'Requested changes reach you as a prompt in this session: commit and push to the same branch, and say so.',
    `On a conflict: \`git fetch origin && git merge origin/${default_branch}\`, resolve, commit and push.`,
    'Secrets are in the environment: never print them, commit them or put them in an address.',
    `Programs that you start on a port can be seen by people: \`svc sessions preview ${session} <port>\`. The ports 22, 4096 and 8000 are not for you.`,
    '`svc` acts as the session: the project, the session and the token are in the environment, and nothing has to be logged in or linked.',
  ]
}
