import {
  type AgentFiles,
  agentModel,
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
  readonly agent_model: {
    readonly asked: { readonly text: string }
    readonly answer: string | null
  }
}

export type DeclaredAgents = Pick<Manifest, 'agentrt' | 'agents' | 'svc_version'>

type Work = { readonly [Kind in keyof Tasks]: (asked: Tasks[Kind]['asked']) => Tasks[Kind]['answer'] }

export const work: Work = {
  read: readManifest,
  agent_files: ({ manifest, files }) => judgeAgentFiles(manifest, files),
  agent_model: ({ text }) => agentModel(text),
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
    case 'agent_model':
      return work.agent_model(question.asked)
  }
}
