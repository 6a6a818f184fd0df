import {
  type AgentFiles,
  type AgentWishes,
  agentWishes,
  type Issue,
  judgeAgentFiles,
  type Manifest,
  type ManifestPath,
  type ManifestReading,
  readManifest,
} from '@svc/manifest'

/** Questions about untrusted text, and their answers. */
export interface Tasks {
  readonly read: {
    readonly asked: { readonly path: ManifestPath; readonly text: string }
    readonly answer: ManifestReading
  }
  readonly agent_files: {
    readonly asked: { readonly manifest: DeclaredAgents; readonly files: AgentFiles }
    readonly answer: readonly Issue[]
  }
  readonly agent_wishes: {
    readonly asked: { readonly text: string }
    readonly answer: AgentWishes
  }
}

export type DeclaredAgents = Pick<Manifest, 'agentrt' | 'agents' | 'svc_version' | 'harness' | 'harnesses'>

type Work = { readonly [Kind in keyof Tasks]: (asked: Tasks[Kind]['asked']) => Tasks[Kind]['answer'] }

export const work: Work = {
  read: readManifest,
  agent_files: ({ manifest, files }) => judgeAgentFiles(manifest, files),
  agent_wishes: ({ text }) => agentWishes(text),
}

/** A question as it is handed to another thread. */
export type Question = {
  readonly [Kind in keyof Tasks]: { readonly kind: Kind; readonly asked: Tasks[Kind]['asked'] }
}[keyof Tasks]

export type Answer = { readonly answer: unknown } | { readonly error: string }

export function answerTo(question: Question): unknown {
  switch (question.kind) {
    case 'read':
      return work.read(question.asked)
    case 'agent_files':
      return work.agent_files(question.asked)
    case 'agent_wishes':
      return work.agent_wishes(question.asked)
  }
}
